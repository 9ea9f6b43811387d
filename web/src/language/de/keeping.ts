import type { enKeeping } from '../en/keeping.ts';

export const deKeeping: typeof enKeeping = {
  archive: 'Archivieren',
  archiveThis: 'Diesen Chat archivieren',
  bringBack: 'Zurückholen',
  archived: 'Chat archiviert',
  broughtBack: 'Der Chat ist wieder in der Liste',
  isArchived: 'Archiviert',
  archivedChats: 'Archivierte Chats',
  move: 'In einen Ordner legen',
  emptyFolder: 'Noch leer',
};
