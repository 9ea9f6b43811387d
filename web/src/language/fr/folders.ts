import type { enFolders } from '../en/folders.ts';

/** Folders for chats, and the place of those that are put away. */
export const frFolders: typeof enFolders = {
  title: 'Dossiers',
  create: 'Nouveau dossier',
  createTitle: 'Nouveau dossier',
  createAction: 'Créer le dossier',
  name: 'Nom',
  actions: (name) => `Actions pour le dossier ${name}`,
  rename: 'Renommer',
  delete: 'Supprimer le dossier',
  deleteQuestion: (name) =>
    `Supprimer le dossier « ${name} » ? Ses discussions restent et figurent hors dossier.`,
  deleted: 'Dossier supprimé',
  moveTitle: 'Déplacer dans un dossier',
  noFolder: 'Aucun dossier',
  orCreate: 'Ou dans un nouveau',
  createAndMove: 'Créer et déplacer',
  moved: (name) => `Déplacée dans ${name}`,
  movedOut: 'Sortie de son dossier',
  archiveLead: 'Mises de côté, pas supprimées : la recherche les trouve, et y écrire les ramène.',
  archiveEmpty: 'Rien n’est archivé. Le menu d’une discussion la range ici.',
  lastMessage: 'Dernier message',
  archivedHere: 'Cette discussion est archivée.',
};
