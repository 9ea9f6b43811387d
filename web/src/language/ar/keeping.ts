import type { enKeeping } from '../en/keeping.ts';

/** Where chats are kept: the few words of it that the sidebar and the menu of a chat need at once. */
export const arKeeping: typeof enKeeping = {
  archive: 'أرشفة',
  archiveThis: 'أرشفة هذه المحادثة',
  bringBack: 'إعادة',
  archived: 'أُرشفت المحادثة',
  broughtBack: 'عادت المحادثة إلى القائمة',
  isArchived: 'مؤرشفة',
  archivedChats: 'المحادثات المؤرشفة',
  move: 'نقل إلى مجلد',
  emptyFolder: 'لا شيء فيه بعد',
};
