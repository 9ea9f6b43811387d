import type { enCompare } from '../en/compare.ts';
import { counted } from './counted.ts';

/** One question to several models. */
export const arCompare: typeof enCompare = {
  title: 'مقارنة النماذج',
  lead: 'سؤال واحد تجيب عنه عدة نماذج جنبًا إلى جنب. كل إجابة تنتظر دورها وتُحسب كغيرها. اختر واحدة للمتابعة معها.',
  oneModel: 'لا يُقدَّم هنا إلا نموذج واحد: لا شيء للمقارنة.',
  models: (fewest, most) => `النماذج (من ${fewest} إلى ${most})`,
  question: 'السؤال',
  blind: 'إخفاء الأسماء حتى أصوّت',
  ask: (count) =>
    counted(count, {
      zero: 'اختر نماذج',
      one: 'سؤال نموذج واحد',
      two: 'سؤال نموذجين',
      few: 'سؤال # نماذج',
      many: 'سؤال # نموذجًا',
      other: 'سؤال # نموذج',
    }),
  answers: 'الإجابات',
  answer: (letter) => `الإجابة ${letter}`,
  blindHint: 'الأسماء مخفية والترتيب عشوائي. صوّت للإجابة الأفضل لترى من كتبها.',
  vote: 'هذه أفضل',
  chosen: 'اختيارك',
  reveal: 'إظهار الأسماء دون تصويت',
  stop: 'إيقاف الكل',
  goOn: 'المتابعة مع هذه',
  another: 'مقارنة سؤال آخر',
  export: 'تصدير CSV',
  speed: (tokens, seconds) => `الرموز: ${tokens}، الزمن: ${seconds} ث`,
};
