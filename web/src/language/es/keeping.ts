import type { enKeeping } from '../en/keeping.ts';

/** Where chats are kept: the few words of it that the sidebar and the menu of a chat need at once. */
export const esKeeping: typeof enKeeping = {
  archive: 'Archivar',
  archiveThis: 'Archivar este chat',
  bringBack: 'Recuperar',
  archived: 'Chat archivado',
  broughtBack: 'El chat vuelve a estar en la lista',
  isArchived: 'Archivado',
  archivedChats: 'Chats archivados',
  move: 'Mover a una carpeta',
  emptyFolder: 'Todavía vacía',
};
