import type { enPalette } from '../en/palette.ts';
import { counted } from './counted.ts';

export const dePalette: typeof enPalette = {
  title: 'Etwas finden oder tun',
  placeholder: 'Ein Chat, ein Wort daraus, ein Modell, eine Seite, eine Aktion',
  results: 'Ergebnisse',
  count: (count) => counted(count, { none: 'Nichts gefunden', one: 'Ein Ergebnis', other: '# Ergebnisse' }),
  nothing: 'Nichts gefunden. Gesucht wird nach ganzen Wörtern und ihren Anfängen.',
  searching: 'Ihre Nachrichten werden durchsucht',
  groups: {
    actions: 'Aktionen',
    recent: 'Neueste Chats',
    chats: 'Chats',
    models: 'Modelle',
    pages: 'Seiten',
    messages: 'In Nachrichten',
  },
  newChat: 'Neuer Chat',
  temporary: 'Temporärer Chat',
  compare: 'Modelle vergleichen',
  newFolder: 'Neuer Ordner',
  useHere: (model) => `Hier mit ${model} antworten`,
  startWith: (model) => `Neuer Chat mit ${model}`,
  light: 'Helles Aussehen',
  dark: 'Dunkles Aussehen',
  system: 'Aussehen des Systems',
  settings: (page) => `Einstellungen: ${page}`,
  administration: (page) => `Verwaltung: ${page}`,
  move: 'bewegen',
  open: 'öffnen',
  close: 'schließen',
};
