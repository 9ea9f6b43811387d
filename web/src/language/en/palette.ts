import { counted } from './counted.ts';

/** The one dialog that finds everything. */
export const enPalette = {
  title: 'Find or do something',
  placeholder: 'A chat, a word in it, a model, a page, an action',
  results: 'Results',
  count: (count: number) => counted(count, { none: 'Nothing found', one: 'One result', other: '# results' }),
  nothing: 'Nothing found. Search looks for whole words and their beginnings.',
  searching: 'Looking through your messages',
  groups: {
    actions: 'Actions',
    recent: 'Recent chats',
    chats: 'Chats',
    models: 'Models',
    pages: 'Pages',
    messages: 'In messages',
  },
  newChat: 'New chat',
  temporary: 'Temporary chat',
  compare: 'Compare models',
  newFolder: 'New folder',
  useHere: (model: string) => `Answer here with ${model}`,
  startWith: (model: string) => `New chat with ${model}`,
  light: 'Light theme',
  dark: 'Dark theme',
  system: 'Theme of the system',
  settings: (page: string) => `Settings: ${page}`,
  administration: (page: string) => `Administration: ${page}`,
  move: 'to move',
  open: 'to open',
  close: 'to close',
};
