import type { enPreviews } from '../en/previews.ts';

/** Documents in answers, opened beside the chat. */
export const itPreviews: typeof enPreviews = {
  open: 'Apri accanto alla chat',
  close: 'Chiudi l’anteprima',
  titles: { html: 'Pagina', svg: 'Disegno', csv: 'Tabella', mermaid: 'Diagramma', vega: 'Grafico' },
  save: 'Salva come file',
  sealed: 'Isolato: non può raggiungere la rete, questa pagina o il suo account.',
  loading: 'Disegno in corso',
  failed: 'Impossibile caricare il programma che lo disegna. Controlli la connessione e lo apra di nuovo.',
};
