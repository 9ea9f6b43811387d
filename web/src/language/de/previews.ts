import type { enPreviews } from '../en/previews.ts';

export const dePreviews: typeof enPreviews = {
  open: 'Neben dem Chat öffnen',
  close: 'Vorschau schließen',
  titles: { html: 'Seite', svg: 'Zeichnung', csv: 'Tabelle', mermaid: 'Diagramm', vega: 'Grafik' },
  save: 'Als Datei speichern',
  sealed: 'Abgeschottet: Sie erreicht weder das Netz noch diese Seite oder Ihr Konto.',
  loading: 'Wird gezeichnet',
  failed:
    'Was dies zeichnet, konnte nicht geladen werden. Prüfen Sie die Verbindung und öffnen Sie es erneut.',
};
