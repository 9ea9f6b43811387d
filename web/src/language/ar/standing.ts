import type { enStanding } from '../en/standing.ts';
import { listed } from '../listed.ts';

/** What people may still use: the usage page, the line above the composer, and keys. */
export const arStanding: typeof enStanding = {
  title: 'حدودك',
  lead: 'ما بقي، ومتى يتجدد، ومن يستطيع رفعه. تُحسب الميزانيات بالوحدات: رموز موزونة بكلفتها، المكتوبة أكثر من المقروءة، والنماذج الكبيرة أكثر من الصغيرة.',
  none: 'لا شيء يحدّك هنا.',
  noneOf: 'لا شيء يحدّك في هذا المشروع.',
  account: 'حسابك',
  accountLead: 'كل ما تفعله، في كل المشاريع معًا.',
  keys: 'مفاتيحك',
  everyone: 'الجميع',
  everyoneLead: 'محادثة الويب، والمفاتيح التي ليست لمشروع آخر.',
  youLead: 'أنت قائده',
  ends: 'ينتهي',
  manage: 'إدارة',
  limits: {
    requestsPerMinute: 'الطلبات في الدقيقة',
    tokensPerMinute: 'الرموز في الدقيقة',
    requestsAtOnce: 'الطلبات المتزامنة',
    costPerDay: 'الميزانية اليومية',
    costPerMonth: 'الميزانية الشهرية',
    costInTotal: 'الميزانية الكلية',
  },
  ofAll: 'للمشروع كله',
  ofYou: 'لك',
  ofKey: (name) => `للمفتاح «\u2068${name}\u2069»`,
  forModel: (model) => `لـ${model}`,
  units: (amount) => `${amount} وحدة`,
  left: (left, amount) => `بقي ${left} من ${amount}`,
  renews: 'يتجدد',
  renewsNever: 'لا يتجدد',
  raisedBy: (leads) =>
    leads.length === 0 ? 'يستطيع مسؤول رفعه' : `يستطيع ${listed(leads, 'ar')} أو مسؤول رفعه`,
  warning: {
    nearly: (percent, limit) => `استُخدم ${percent}٪ من ${limit} الخاصة بك.`,
    over: (limit) => `نفدت ${limit} الخاصة بك.`,
    nearlyOfProject: (percent, limit, project) => `استُخدم ${percent}٪ من ${limit} لـ${project}.`,
    overOfProject: (limit, project) => `نفدت ${limit} لـ${project}.`,
    budgets: { costPerDay: 'ميزانية اليوم', costPerMonth: 'ميزانية هذا الشهر', costInTotal: 'الميزانية' },
    see: 'عرض حدودك',
    dismiss: 'عدم العرض مرة أخرى',
  },
  storage: {
    title: 'التخزين',
    lead: 'ما تشغله محادثاتك ومستنداتك هنا. ما تحذفه يُحسب حتى يزول نهائيًا بعد يوم.',
    used: (used, limit) => `استُخدم ${used} من ${limit}`,
    full: 'استُخدمت كلها: لا يمكن حفظ جديد حتى تحذف محادثات أو مستندات.',
    nearlyFull: 'تكاد تمتلئ. احذف ما لم تعد تحتاج إليه.',
  },
};
