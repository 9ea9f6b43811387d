import type { enContext } from '../en/context.ts';

/** What the model is given of a long conversation, and what becomes of the rest. */
export const arContext: typeof enContext = {
  counted: 'معدودة بمقسّم الرموز الخاص بالنموذج.',
  summarised: 'يحل ملخص محل أقدم الرسائل.',
  willSummarise: 'يلخّص النموذج أقدم الرسائل قبل أن يجيب.',
  summarising: 'يجري تلخيص أقدم الرسائل',
  choice: {
    title: 'لم تعد هذه المحادثة تتسع كاملة في النموذج',
    explained: 'يمكن للنموذج أن يلخّص أقدم الرسائل قبل أن يجيب، أو تُترك. تبقى كلها لديك في الحالتين.',
    summarise: 'تلخيصها',
    leaveOut: 'تركها',
    always: 'افعل ذلك في كل المحادثات',
  },
  summary: {
    title: 'ملخص ما سبق',
    by: (model) => `بقلم ${model}`,
    edited: 'عدّلته أنت',
    edit: 'تعديل',
    leaveOut: 'تركها بدلًا من ذلك',
    summarise: 'تلخيصها بدلًا من ذلك',
    problem: 'تعذّرت كتابة الملخص، فتُركت أقدم الرسائل.',
    sent: 'لم تتسع أقدم الرسائل. أُرسل هذا الملخص بدلًا منها:',
  },
  settings: {
    title: 'المحادثات الطويلة',
    label: 'عندما لا تعود المحادثة تتسع في النموذج',
    ask: 'اسألني',
    summarise: 'تلخيص أقدم الرسائل',
    leaveOut: 'ترك أقدم الرسائل',
  },
  byMeaning: {
    searched: 'عُثر على المقاطع بكلماتها وبمعناها.',
    failed: 'لم يُجب البحث بالمعنى في الوقت المناسب: عُثر على المقاطع بكلماتها فقط.',
  },
};
