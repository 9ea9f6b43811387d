import type { enKeeping } from '../en/keeping.ts';

/** Where chats are kept: the few words of it that the sidebar and the menu of a chat need at once. */
export const ukKeeping: typeof enKeeping = {
  archive: 'Архів',
  archiveThis: 'Архівувати цей чат',
  bringBack: 'Повернути',
  archived: 'Чат архівовано',
  broughtBack: 'Чат знову в списку',
  isArchived: 'В архіві',
  archivedChats: 'Архівовані чати',
  move: 'Перемістити в папку',
  emptyFolder: 'Тут ще нічого немає',
};
