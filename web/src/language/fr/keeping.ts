import type { enKeeping } from '../en/keeping.ts';

/** Where chats are kept: the few words of it that the sidebar and the menu of a chat need at once. */
export const frKeeping: typeof enKeeping = {
  archive: 'Archiver',
  archiveThis: 'Archiver cette discussion',
  bringBack: 'Ramener',
  archived: 'Discussion archivée',
  broughtBack: 'La discussion est de retour dans la liste',
  isArchived: 'Archivée',
  archivedChats: 'Discussions archivées',
  move: 'Déplacer dans un dossier',
  emptyFolder: 'Encore rien dedans',
};
