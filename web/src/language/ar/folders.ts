import type { enFolders } from '../en/folders.ts';

/** Folders for chats, and the place of those that are put away. */
export const arFolders: typeof enFolders = {
  title: 'المجلدات',
  create: 'مجلد جديد',
  createTitle: 'مجلد جديد',
  createAction: 'إنشاء المجلد',
  name: 'الاسم',
  actions: (name) => `إجراءات المجلد ${name}`,
  rename: 'إعادة التسمية',
  delete: 'حذف المجلد',
  deleteQuestion: (name) => `حذف المجلد «\u2068${name}\u2069»؟ تبقى محادثاته وتُدرج بدونه.`,
  deleted: 'حُذف المجلد',
  moveTitle: 'نقل إلى مجلد',
  noFolder: 'بلا مجلد',
  orCreate: 'أو إلى مجلد جديد',
  createAndMove: 'إنشاء ونقل',
  moved: (name) => `نُقلت إلى ${name}`,
  movedOut: 'أُخرجت من مجلدها',
  archiveLead: 'مُنحّاة لا محذوفة: يجدها البحث، والكتابة في إحداها تعيدها.',
  archiveEmpty: 'لا شيء مؤرشف. تضعها قائمة المحادثة هنا.',
  lastMessage: 'آخر رسالة',
  archivedHere: 'هذه المحادثة مؤرشفة.',
};
