import type { enPreviews } from '../en/previews.ts';

/** Documents in answers, opened beside the chat. */
export const arPreviews: typeof enPreviews = {
  open: 'فتح بجانب المحادثة',
  close: 'إغلاق المعاينة',
  titles: { html: 'صفحة', svg: 'رسم', csv: 'جدول', mermaid: 'مخطط', vega: 'رسم بياني' },
  save: 'حفظ كملف',
  sealed: 'معزولة: لا تصل إلى الشبكة ولا إلى هذه الصفحة ولا إلى حسابك.',
  loading: 'قيد الرسم',
  failed: 'تعذّر تحميل ما يرسم هذا. تحقق من اتصالك وافتحه من جديد.',
};
