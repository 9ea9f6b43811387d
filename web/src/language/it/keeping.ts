import type { enKeeping } from '../en/keeping.ts';

/** Where chats are kept: the few words of it that the sidebar and the menu of a chat need at once. */
export const itKeeping: typeof enKeeping = {
  archive: 'Archivia',
  archiveThis: 'Archivia questa chat',
  bringBack: 'Ripristina',
  archived: 'Chat archiviata',
  broughtBack: 'La chat è di nuovo nell’elenco',
  isArchived: 'Archiviata',
  archivedChats: 'Chat archiviate',
  move: 'Sposta in una cartella',
  emptyFolder: 'Ancora vuota',
};
