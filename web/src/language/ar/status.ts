import { counted } from './counted.ts';
import type { enStatus } from '../en/status.ts';

/** The status page. */
export const arStatus: typeof enStatus = {
  title: 'الحالة',
  lead: 'من إجابات حقيقية وأسئلة اختبار صغيرة. كل عمود يوم (UTC): كم منه استطاع النموذج الإجابة. افتح نموذجًا لترى المزيد.',
  states: {
    operational: 'يعمل',
    degraded: 'متدهور',
    outage: 'انقطاع',
    unknown: 'غير معروف بعد',
  },
  overall: {
    operational: 'كل شيء يعمل',
    degraded: 'شيء لا يعمل كما ينبغي',
    outage: 'النماذج لا تجيب',
    unknown: 'لم يُجرَّب شيء بعد',
  },
  asOf: 'حتى',
  models: 'النماذج',
  uptime: (share, days) =>
    counted(days, {
      zero: `متاح ${share}`,
      one: `متاح ${share} خلال يوم واحد`,
      two: `متاح ${share} خلال يومين`,
      few: `متاح ${share} خلال # أيام`,
      many: `متاح ${share} خلال # يومًا`,
      other: `متاح ${share} خلال # يوم`,
    }),
  noUptime: 'لم يُراقب بعد',
  firstToken: (time) => `أول رمز خلال ${time}`,
  uptimeRow: 'الإتاحة حسب اليوم',
  daysAgo: 'قبل 90 يومًا',
  today: 'اليوم',
  day: {
    unwatched: 'لم يُراقب',
    up: (share) => `متاح ${share}`,
    failed: (share) => `فشل ${share} من الإجابات`,
    watched: (share) => `رُوقب ${share} من اليوم`,
    firstToken: (time) => `أول رمز خلال ${time}`,
  },
  noTrouble: 'لا مشكلات في أي يوم رُوقب.',
  incidents: 'الحوادث',
  noIncidents: 'لا شيء في آخر 90 يومًا.',
  impacts: { maintenance: 'صيانة', degraded: 'متدهور', outage: 'انقطاع' },
  open: 'مستمرة',
  resolved: 'انتهت',
  concerns: (models) => `تعني ${models}`,
  since: 'منذ',
  forPrograms: 'الشيء نفسه للبرامج:',
  signIn: 'تسجيل الدخول',
};
