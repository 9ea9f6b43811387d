import type { enFolders } from '../en/folders.ts';

/** Folders for chats, and the place of those that are put away. */
export const esFolders: typeof enFolders = {
  title: 'Carpetas',
  create: 'Nueva carpeta',
  createTitle: 'Nueva carpeta',
  createAction: 'Crear carpeta',
  name: 'Nombre',
  actions: (name) => `Acciones para la carpeta ${name}`,
  rename: 'Cambiar el nombre',
  delete: 'Eliminar la carpeta',
  deleteQuestion: (name) => `¿Eliminar la carpeta «${name}»? Sus chats se quedan y se listan sin ella.`,
  deleted: 'Carpeta eliminada',
  moveTitle: 'Mover a una carpeta',
  noFolder: 'Sin carpeta',
  orCreate: 'O a una nueva',
  createAndMove: 'Crear y mover',
  moved: (name) => `Movido a ${name}`,
  movedOut: 'Sacado de su carpeta',
  archiveLead: 'Apartados, no eliminados: la búsqueda los encuentra, y escribir en uno lo trae de vuelta.',
  archiveEmpty: 'No hay nada archivado. El menú de un chat lo pone aquí.',
  lastMessage: 'Último mensaje',
  archivedHere: 'Este chat está archivado.',
};
