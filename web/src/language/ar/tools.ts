import type { enTools } from '../en/tools.ts';
import { counted } from './counted.ts';

/** Tools that servers offer, and the questions before they are called. */
export const arTools: typeof enTools = {
  choose: 'الأدوات',
  chosen: (count) =>
    counted(count, {
      zero: 'الأدوات: لا خادم مفعّل',
      one: 'الأدوات: خادم واحد مفعّل',
      two: 'الأدوات: خادمان مفعّلان',
      few: 'الأدوات: # خوادم مفعّلة',
      many: 'الأدوات: # خادمًا مفعّلًا',
      other: 'الأدوات: # خادم مفعّل',
    }),
  explained: 'قد يطلب النموذج أدوات من الخوادم التي تفعّلها. تُسأل قبل إرسال أي شيء.',
  count: (count) =>
    counted(count, {
      zero: 'بلا أدوات',
      one: 'أداة واحدة',
      two: 'أداتان',
      few: '# أدوات',
      many: '# أداة',
      other: '# أداة',
    }),
  unreachable: 'لا يجيب الآن',
  call: (tool, server) => `${tool}، أداة من ${server}`,
  of: (server) => `من ${server}`,
  asks: (server) => `يريد النموذج استدعاء هذه الأداة. هذا ما سيُرسل إلى ${server}:`,
  nothingSent: 'لا شيء سوى الاستدعاء نفسه.',
  allowOnce: 'السماح مرة واحدة',
  allowInChat: 'السماح في هذه المحادثة',
  allowAlways: 'السماح دائمًا',
  refuse: 'رفض',
  states: {
    asked: 'في انتظارك',
    running: 'قيد التشغيل',
    done: 'تم',
    refused: 'مرفوض',
    stopped: 'أُوقف',
    interrupted: 'انقطع',
    failed: 'فشل',
    toolError: 'الأداة تبلّغ عن مشكلة',
  },
  sent: 'أُرسل',
  result: 'النتيجة',
  empty: 'النتيجة فارغة.',
  cut: 'كانت النتيجة أطول؛ واقتُطع الباقي.',
  failures: {
    tool_timeout: 'لم تجب الأداة في الوقت المحدد.',
    tool_unreachable: 'تعذّر الوصول إلى الأداة، أو انقطعت.',
    tool_nonsense: 'أجابت الأداة بما لا يمكن فهمه.',
    tool_too_large: 'أجابت الأداة بأكثر من المسموح.',
    tool_changed: 'لم يُجرَ الاستدعاء: تغيّرت الأداة منذ سُئلت. اسأل من جديد للمتابعة.',
    tool_busy: 'استدعاءات كثيرة في وقت واحد.',
    tool_arguments: 'لم يُجرَ الاستدعاء: كتب النموذج معطيات ليست JSON.',
  },
  failed: 'فشل الاستدعاء.',
  interrupted: 'أُعيد تشغيل الخدمة، أو لم يجب أحد. اسأل من جديد للمتابعة.',
  consents: {
    title: 'الأدوات',
    lead: 'أدوات يمكن استدعاؤها في كل محادثاتك دون سؤالك. إذا تغيّرت أداة سُئلت من جديد.',
    none: 'تُسأل قبل كل أداة، إلا إن سمحت بها لمحادثة.',
    given: 'مسموحة',
    withdraw: 'السؤال من جديد',
    withdrawn: 'ستُسأل من جديد قبل استدعاء هذه الأداة.',
  },
};
