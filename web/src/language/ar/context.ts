import type { enContext } from '../en/context.ts';

/** What the model is given of a long conversation, and what becomes of the rest. */
export const arContext: typeof enContext = {
  counted: 'معدودة بمقسّم الرموز الخاص بالنموذج.',
};
