import type { enImports } from '../en/imports.ts';
import { counted } from './counted.ts';

/** Chats from elsewhere. */
export const arImports: typeof enImports = {
  lead: 'ملف صُدّر من هنا أو من ChatGPT أو Claude أو Open WebUI. تُضاف المحادثات المستوردة؛ ولا يُستبدل شيء. يُقرأ الملف في متصفحك.',
  unreadable:
    'هذا ليس ملف محادثات. اختر تصديرًا من هذه الخدمة أو من ChatGPT أو Claude (ملف zip أو conversations.json فيه) أو من Open WebUI.',
  untitled: 'محادثة مستوردة',
  reading: 'يُقرأ الملف',
  progress: (imported, count) => `أُدخلت ${imported} من ${count} من المحادثات`,
  stoppedAt: (imported, count) =>
    `أُدخلت ${imported} من ${count} من المحادثات ولم تُدخل البقية. استيراد الملف مرة أخرى يكررها.`,
  howTo: 'من أين يُحصل على مثل هذا الملف',
  chatGpt:
    'ChatGPT: الإعدادات، عناصر التحكم بالبيانات، تصدير البيانات. يمكن اختيار ملف zip من الرسالة كما هو.',
  claude: 'Claude: الإعدادات، الخصوصية، تصدير البيانات. يمكن اختيار ملف zip من الرسالة كما هو.',
  openWebUi: 'Open WebUI: الإعدادات، عناصر التحكم بالبيانات، تصدير المحادثات.',
  leftOut: {
    title: 'لم يُدخل:',
    chats: (count) =>
      counted(count, {
        zero: '# محادثة فارغة أو غير مقروءة',
        one: 'محادثة واحدة فارغة أو غير مقروءة',
        two: 'محادثتان فارغتان أو غير مقروءتين',
        few: '# محادثات فارغة أو غير مقروءة',
        many: '# محادثة فارغة أو غير مقروءة',
        other: '# محادثة فارغة أو غير مقروءة',
      }),
    messages: (count) =>
      counted(count, {
        zero: '# رسالة',
        one: 'رسالة واحدة',
        two: 'رسالتان',
        few: '# رسائل',
        many: '# رسالة',
        other: '# رسالة',
      }),
    files: (count) =>
      counted(count, {
        zero: '# صورة أو ملف، وبقيت الأسماء مكانها',
        one: 'صورة أو ملف واحد، وبقي الاسم مكانه',
        two: 'صورتان أو ملفان، وبقيت الأسماء مكانها',
        few: '# صور أو ملفات، وبقيت الأسماء مكانها',
        many: '# صورة أو ملف، وبقيت الأسماء مكانها',
        other: '# صورة أو ملف، وبقيت الأسماء مكانها',
      }),
  },
};
