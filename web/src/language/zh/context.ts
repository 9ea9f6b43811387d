import type { enContext } from '../en/context.ts';

/** What the model is given of a long conversation, and what becomes of the rest. */
export const zhContext: typeof enContext = {
  counted: '由模型自己的分词器计数。',
};
