import type { enPalette } from '../en/palette.ts';
import { counted } from './counted.ts';

/** The one dialog that finds everything. */
export const itPalette: typeof enPalette = {
  title: 'Trova o fai qualcosa',
  placeholder: 'Una chat, una parola che contiene, un modello, una pagina, un’azione',
  results: 'Risultati',
  count: (count) => counted(count, { none: 'Nessun risultato', one: 'Un risultato', other: '# risultati' }),
  nothing: 'Nessun risultato. La ricerca trova parole intere e il loro inizio.',
  searching: 'Ricerca nei suoi messaggi',
  groups: {
    actions: 'Azioni',
    recent: 'Chat recenti',
    chats: 'Chat',
    spaces: 'Progetti',
    presets: 'Preset',
    models: 'Modelli',
    pages: 'Pagine',
    messages: 'Nei messaggi',
  },
  newChat: 'Nuova chat',
  temporary: 'Chat temporanea',
  compare: 'Confronta modelli',
  newFolder: 'Nuova cartella',
  useHere: (model) => `Rispondi qui con ${model}`,
  startWith: (model) => `Nuova chat con ${model}`,
  light: 'Tema chiaro',
  dark: 'Tema scuro',
  system: 'Tema del sistema',
  settings: (page) => `Impostazioni: ${page}`,
  administration: (page) => `Amministrazione: ${page}`,
  move: 'per spostarsi',
  open: 'per aprire',
  close: 'per chiudere',
};
