import { z } from 'zod';
import { feedbackWords } from './feedback-words.ts';
import { done } from './fields.ts';
import type { RouteTable } from './route.ts';
import type { Shape } from './shape.ts';

/** What somebody thinks of an answer: theirs alone. Operators see how often each was said of a model. */

export const feedback = z.discriminatedUnion('verdict', [
  z.strictObject({ verdict: z.literal('good'), word: z.enum(feedbackWords.good).nullable() }),
  z.strictObject({ verdict: z.literal('bad'), word: z.enum(feedbackWords.bad).nullable() }),
]);

const feedbackCount = z.object({
  model: z.string(),
  verdict: z.enum(['good', 'bad']),
  word: z.string().nullable(),
  count: z.number().int(),
});

export const feedbackRoutes = {
  /** Null takes it back. */
  'PUT /console/chats/:chatId/messages/:messageId/feedback': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ feedback: feedback.nullable() }),
    response: done,
  },
  'GET /console/administration/feedback': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ counts: z.array(feedbackCount) }),
  },
  'GET /console/administration/feedback/export': { access: 'administrator', answer: 'file' },
} as const satisfies RouteTable;

export type Feedback = Shape<typeof feedback>;
export type FeedbackCount = Shape<typeof feedbackCount>;
