import type { enAdministration } from '../en/administration.ts';

/** The frame of the administration: the words of every page's title, and of the navigation. */
export const arAdministration: typeof enAdministration = {
  sections: 'الأقسام',
  groups: { service: 'الخدمة', people: 'الأشخاص' },
  pages: {
    overview: { title: 'نظرة عامة', lead: 'كيف حال الخدمة الآن، وكيف كانت مؤخرًا.' },
    models: { title: 'النماذج والمحرّكات', lead: 'ما الذي يُقدَّم، ومن يقدّمه.' },
    status: {
      title: 'صفحة الحالة',
      lead: 'الحوادث مشروحة، وأين يرى الجميع حال النماذج.',
    },
    presets: { title: 'الإعدادات المسبقة', lead: 'طرق للسؤال يجدها الجميع خلف شرطة مائلة في المحادثة.' },
    announcements: { title: 'الإعلانات', lead: 'ما ينبغي أن يعرفه الجميع.' },
    appearance: { title: 'المظهر', lead: 'اسم ولون وصورة خاصة بكم.' },
    settings: {
      title: 'الإعدادات السارية',
      lead: 'كل إعداد مع قيمته ومصدره. تُغيَّر في ملف الإعدادات.',
    },
    usage: { title: 'الاستخدام', lead: 'من استخدم ماذا. الأيام بتوقيت UTC.' },
    projects: {
      title: 'المشاريع',
      lead: 'أشخاص يتشاركون النماذج والحدود والميزانية، وحصّتهم من الخدمة.',
    },
    keys: { title: 'المفاتيح', lead: 'مفاتيح API للجميع. لا تُعرض الأسرار لأحد.' },
    audit: {
      title: 'التدقيق',
      lead: 'من فعل ماذا ولمن. تُضاف القيود ولا تُغيَّر؛ وكل قيد يحمل بصمة الذي قبله.',
    },
    people: { title: 'الأشخاص', lead: 'من يحق له الدخول. لا يمكن قراءة محادثات أحد هنا.' },
    invitations: {
      title: 'الدعوات',
      lead: 'روابط يُدخل كلٌّ منها شخصًا واحدًا، وإلى مشاريع إن شئت.',
    },
  },
};
