import type { enFolders } from '../en/folders.ts';

export const deFolders: typeof enFolders = {
  title: 'Ordner',
  create: 'Neuer Ordner',
  createTitle: 'Neuer Ordner',
  createAction: 'Ordner anlegen',
  name: 'Name',
  actions: (name) => `Aktionen für den Ordner ${name}`,
  rename: 'Umbenennen',
  delete: 'Ordner löschen',
  deleteQuestion: (name) =>
    `Den Ordner „${name}“ löschen? Seine Chats bleiben und stehen dann ohne ihn in der Liste.`,
  deleted: 'Ordner gelöscht',
  moveTitle: 'In einen Ordner legen',
  noFolder: 'Kein Ordner',
  orCreate: 'Oder in einen neuen',
  createAndMove: 'Anlegen und verschieben',
  moved: (name) => `Nach ${name} verschoben`,
  movedOut: 'Aus dem Ordner genommen',
  archiveLead:
    'Weggelegt, nicht gelöscht: Die Suche findet sie, und wer in einem weiterschreibt, holt ihn zurück.',
  archiveEmpty: 'Nichts ist archiviert. Das Menü eines Chats legt ihn hierher.',
  lastMessage: 'Letzte Nachricht',
  archivedHere: 'Dieser Chat ist archiviert.',
};
