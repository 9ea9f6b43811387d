import type { enActivity } from '../en/activity.ts';
import { counted } from './counted.ts';

const methods: Readonly<Record<string, string>> = {
  password: 'كلمة مرور',
  link: 'رابط يُستعمل مرة واحدة',
  invitation: 'دعوة',
};

/** What happened to an account, in words: Settings, Account, Activity, and the notices in the chat. */
export const arActivity: typeof enActivity = {
  title: 'النشاط',
  lead: 'ما حدث لحسابك، ومتى ومن أين. تُضاف القيود ولا تُغيَّر أبدًا.',
  none: 'لا شيء بعد',
  notYou:
    'إن كان هنا ما لم تفعله أنت، فسجّل الخروج من كل الأجهزة من قسم «الأجهزة»، وغيّر كلمة المرور، وأبلغ القائمين على هذه الخدمة.',
  by: {
    person: (name) => `بواسطة ${name ?? 'شخص لم يعد هنا'}`,
    stranger: 'بواسطة شخص لم يسجّل الدخول',
    command: (name) => `من سطر الأوامر، بواسطة ${name ?? 'المشغّل'}`,
    provider: (name) => `بواسطة ${name ?? 'مزوّد هوية'}`,
    service: 'بواسطة هذه الخدمة',
  },
  notice: 'عن حسابك',
  more: (count) =>
    counted(count, {
      zero: 'ولا شيء آخر',
      one: 'وواحد آخر',
      two: 'واثنان آخران',
      few: 'و# أخرى',
      many: 'و# أخرى',
      other: 'و# أخرى',
    }),
  show: 'عرض النشاط',
  seen: 'اطّلعت عليه',
  happened: (kind, detail, roles): string => {
    const name = String(detail['name'] ?? '');
    const provider = String(detail['provider'] ?? '');
    const project = String(detail['project'] ?? '');
    const method = String(detail['method'] ?? '');
    const attempts = Number(detail['attempts'] ?? 1);
    const sentences: Readonly<Record<string, string>> = {
      'sign-in':
        detail['linkMadeBy'] === undefined
          ? `تسجيل دخول بـ${methods[method] ?? method}`
          : `تسجيل دخول برابط أنشأه ${String(detail['linkMadeBy'])}`,
      'sign-in-failed': counted(attempts, {
        zero: 'لا محاولات فاشلة',
        one: 'محاولة دخول فاشلة',
        two: 'محاولتا دخول فاشلتان',
        few: '# محاولات دخول فاشلة',
        many: '# محاولة دخول فاشلة',
        other: '# محاولة دخول فاشلة',
      }),
      'sign-out': 'تسجيل خروج',
      'password-changed': 'تغيّرت كلمة المرور',
      'sign-in-link-created': 'أُنشئ رابط دخول لحسابك',
      'provider-connected': `رُبط ${provider}`,
      'provider-disconnected': `فُكّ ربط ${provider}`,
      'key-created': `أُنشئ مفتاح API «\u2068${name}\u2069»`,
      'key-rotated': `جُدّد مفتاح API «\u2068${name}\u2069»`,
      'key-revoked': `أُبطل مفتاح API «\u2068${name}\u2069»`,
      'person-created': 'أُنشئ الحساب',
      'person-enabled': 'فُعّل الحساب',
      'person-disabled': 'عُطّل الحساب',
      'person-withdrawn': 'أخرجك مزوّد الهوية',
      'person-exported': detail['part'] === 'chats' ? 'صُدّرت محادثاتك' : 'صُدّرت بيانات عن حسابك',
      'person-restored': 'أعادك مزوّد الهوية',
      'role-changed': `تغيّر الدور إلى ${roles[String(detail['to'])] ?? String(detail['to'])}`,
      'invitation-used': 'قُبلت الدعوة',
      'project-member-added':
        detail['role'] === 'lead' ? `أُضفت إلى المشروع ${project} مسؤولًا عنه` : `أُضفت إلى المشروع ${project}`,
      'project-member-removed': `أُخرجت من المشروع ${project}`,
      'space-chat-withdrawn': `سُحبت محادثة شاركتها في المشروع ${project}`,
      'limits-changed': 'تغيّرت حدودك',
    };
    return sentences[kind] ?? kind;
  },
};
