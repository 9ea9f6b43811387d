import type { enFolders } from '../en/folders.ts';

/** Folders for chats, and the place of those that are put away. */
export const itFolders: typeof enFolders = {
  title: 'Cartelle',
  create: 'Nuova cartella',
  createTitle: 'Nuova cartella',
  createAction: 'Crea cartella',
  name: 'Nome',
  actions: (name) => `Azioni per la cartella ${name}`,
  rename: 'Rinomina',
  delete: 'Elimina la cartella',
  deleteQuestion: (name) =>
    `Eliminare la cartella «${name}»? Le sue chat restano e compaiono nell’elenco senza cartella.`,
  deleted: 'Cartella eliminata',
  moveTitle: 'Sposta in una cartella',
  noFolder: 'Nessuna cartella',
  orCreate: 'Oppure in una nuova',
  createAndMove: 'Crea e sposta',
  moved: (name) => `Spostata in ${name}`,
  movedOut: 'Tolta dalla sua cartella',
  archiveLead: 'Messe da parte, non eliminate: la ricerca le trova, e scrivendo in una la si ripristina.',
  archiveEmpty: 'Nulla è archiviato. Dal menu di una chat la si sposta qui.',
  lastMessage: 'Ultimo messaggio',
  archivedHere: 'Questa chat è archiviata.',
};
