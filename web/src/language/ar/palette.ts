import type { enPalette } from '../en/palette.ts';
import { counted } from './counted.ts';

/** The one dialog that finds everything. */
export const arPalette: typeof enPalette = {
  title: 'البحث أو التنفيذ',
  placeholder: 'محادثة، أو كلمة فيها، أو نموذج، أو صفحة، أو إجراء',
  results: 'النتائج',
  count: (count) =>
    counted(count, {
      none: 'لم يُعثر على شيء',
      zero: 'لم يُعثر على شيء',
      one: 'نتيجة واحدة',
      two: 'نتيجتان',
      few: '# نتائج',
      many: '# نتيجة',
      other: '# نتيجة',
    }),
  nothing: 'لم يُعثر على شيء. يشمل البحث الكلمات الكاملة وأوائلها.',
  searching: 'جارٍ البحث في رسائلك',
  groups: {
    actions: 'الإجراءات',
    recent: 'المحادثات الأخيرة',
    chats: 'المحادثات',
    spaces: 'المشاريع',
    presets: 'الإعدادات المسبقة',
    models: 'النماذج',
    pages: 'الصفحات',
    messages: 'في الرسائل',
  },
  newChat: 'محادثة جديدة',
  temporary: 'محادثة مؤقتة',
  compare: 'مقارنة النماذج',
  newFolder: 'مجلد جديد',
  useHere: (model) => `الإجابة هنا باستخدام ${model}`,
  startWith: (model) => `محادثة جديدة باستخدام ${model}`,
  light: 'المظهر الفاتح',
  dark: 'المظهر الداكن',
  system: 'مظهر النظام',
  settings: (page) => `الإعدادات: ${page}`,
  administration: (page) => `الإدارة: ${page}`,
  move: 'للتنقل',
  open: 'للفتح',
  close: 'للإغلاق',
};
