import type { enFolders } from '../en/folders.ts';

/** Folders for chats, and the place of those that are put away. */
export const ukFolders: typeof enFolders = {
  title: 'Папки',
  create: 'Нова папка',
  createTitle: 'Нова папка',
  createAction: 'Створити папку',
  name: 'Назва',
  actions: (name) => `Дії для папки ${name}`,
  rename: 'Перейменувати',
  delete: 'Видалити папку',
  deleteQuestion: (name) => `Видалити папку «${name}»? Її чати залишаться в списку без неї.`,
  deleted: 'Папку видалено',
  moveTitle: 'Перемістити в папку',
  noFolder: 'Без папки',
  orCreate: 'Або в нову',
  createAndMove: 'Створити й перемістити',
  moved: (name) => `Переміщено в папку ${name}`,
  movedOut: 'Вийнято з папки',
  archiveLead: 'Прибрано, не видалено: їх знаходить пошук, а нове повідомлення повертає чат до списку.',
  archiveEmpty: 'Архів порожній. Сюди чат переносить його меню.',
  lastMessage: 'Останнє повідомлення',
  archivedHere: 'Цей чат в архіві.',
};
