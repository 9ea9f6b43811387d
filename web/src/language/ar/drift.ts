import type { enDrift } from '../en/drift.ts';

/** Administration, Usage: our sums beside the engines' own counters. */
export const arDrift: typeof enDrift = {
  title: 'مقارنةً بعدّادات المحرّكات',
  lead: 'الرموز كما عدّتها هذه الخدمة وكل محرّك. زائد: عمل المحرّك أكثر مما مرّ من هنا لأن آخرين يستخدمونه أيضًا. ناقص: لا يعرف المحرّك عملًا عُدّ هنا. وأثناء كتابة الإجابات قد يسبق المحرّك قليلًا.',
  show: 'عرض',
  everyEngine: 'كل المحرّكات، آخر 24 ساعة',
  hoursOf: (engine) => `${engine}، ساعة بساعة`,
  engine: 'المحرّك',
  hour: 'الساعة',
  input: 'المُدخل',
  output: 'المُخرج',
  ours: 'هنا',
  theirs: 'المحرّك',
  difference: 'الفرق',
  notWhole: 'غير كامل',
  notWholeNote:
    'غير كامل: بدأت هذه الخدمة أو المحرّك في تلك الساعة، وما كان بينهما غير محسوب عند أيٍّ منهما. يبدأ العدّ مع بدء هذه الخدمة ويعود 48 ساعة إلى الوراء.',
  none: 'بلا عدّادات',
  unread: 'لم يمكن سؤاله بعد',
  noHours: 'لم يُقارن شيء بعد.',
};
