import type { enDocuments } from '../en/documents.ts';
import { counted } from './counted.ts';

/** Documents, pictures and what the model is given. */
export const itDocuments: typeof enDocuments = {
  attach: 'Allega file',
  dropHere: 'Trascini qui i file per allegarli',
  attached: 'File allegati',
  remove: (name) => `Rimuovi ${name}`,
  reading: 'Lettura in corso',
  sending: 'Invio in corso',
  pages: (count) => counted(count, { one: '1 pagina', other: '# pagine' }),
  cells: (count) => counted(count, { one: '1 cella', other: '# celle' }),
  emptyPages: (empty, all) =>
    `Pagine senza testo, per esempio scansioni: ${empty} su ${all}. Il modello non le vede.`,
  tooMany: (max) =>
    counted(max, {
      one: 'Una domanda accetta al massimo un file.',
      other: 'Una domanda accetta al massimo # file.',
    }),
  waitForFiles: 'I file non sono ancora arrivati',
  pasted: 'Testo incollato',
  blind: (model) =>
    `${model} non può guardare immagini: riceve solo le sue parole. Scelga un modello che può, o rimuova l’immagine.`,
  problems: {
    unsupported:
      'Questo tipo di file non può essere letto qui. Si leggono PDF, Word (.docx), testi, tabelle, notebook e immagini.',
    unreadable: 'Questo file è danneggiato, o non è ciò che dice il suo nome.',
    password: 'Questo file è protetto da una password. Lo salvi senza e lo alleghi di nuovo.',
    noText:
      'Questo file contiene immagini di pagine e nessun testo, come una scansione. Alleghi una versione con testo.',
    empty: 'Questo file è vuoto.',
    tooLarge: 'Questo file è più grande di quanto il servizio accetti. Ne alleghi una parte.',
    tooLong: 'Questo file è troppo lungo per essere letto qui. Ne alleghi una parte.',
    storageFull: 'Nel suo spazio non c’è più posto. Elimini le chat che non le servono più.',
    noPicturesHere: 'In una chat temporanea non si possono inserire immagini, perché andrebbero salvate.',
    notSent: 'Invio non riuscito. Lo rimuova e lo alleghi di nuovo.',
  },
  sources: 'Fonti',
  source: (number, name, page) => `Fonte ${number}: ${name}, pagina ${page}`,
  page: (page) => `pagina ${page}`,
  pageOf: (page, count) => `Pagina ${page} di ${count}`,
  previousPage: 'Pagina precedente',
  nextPage: 'Pagina successiva',
  original: 'Scarica l’originale',
  closeDocument: 'Chiudi il documento',
  noTextOnPage: 'In questa pagina non c’è testo.',
  sent: {
    title: 'Che cosa è stato inviato',
    explained: 'Esattamente questo è andato al modello per questa risposta.',
    show: 'Che cosa è stato inviato al modello',
    instructions: 'Istruzioni',
    documents: 'Documenti',
    conversation: 'Conversazione',
    answer: 'Tenuto libero per la risposta',
    tokens: (count) => `${count} token`,
    aboutTokens: (count) => `circa ${count} token`,
    of: (used, all) => `${used} di ${all} token`,
    wholePages: 'Il testo intero di queste pagine:',
    pictures: 'Immagini:',
    leftOut: 'Non è stato inviato nulla di:',
    beganLater: 'I messaggi più vecchi non ci stavano e sono stati tralasciati.',
    allMessages: 'Tutti i messaggi di questa conversazione sono stati inviati.',
  },
  context: {
    meter: (percent) => `Contesto: ${percent} % occupato`,
    title: 'Che cosa riceverà il modello',
    estimated: 'Stima, piuttosto per eccesso che per difetto.',
    tight: 'La conversazione non ci sta più per intero. Il modello risponde senza i messaggi più vecchi.',
    documentsInPart:
      'Un documento non ci sta per intero: vengono inviati i passaggi che riguardano la sua domanda.',
    viewBegins: 'Il modello vede la conversazione da qui in poi',
  },
};
