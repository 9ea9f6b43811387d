import { z } from 'zod';
import { done, id, moment } from './fields.ts';
import type { RouteTable } from './route.ts';
import type { Shape } from './shape.ts';
import { maxSummaryCharacters } from './summary-limits.ts';

/** What to do with the oldest messages of a conversation that no longer fits into its model. */
export const whenFull = z.enum(['leaveOut', 'summarise']);

/** Stands for the conversation up to its message, where that does not fit. Belongs to every branch through it. */
export const summary = z.object({
  text: z.string().max(maxSummaryCharacters),
  /** Who wrote it first. */
  model: z.string().max(200),
  /** Somebody has changed what the model wrote. */
  isEdited: z.boolean(),
  /** The requests that wrote it. */
  requestIds: z.array(id).max(32),
  createdAt: moment,
});

export const summaryRoutes = {
  'PUT /console/chats/:chatId/messages/:messageId/summary': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ text: z.string().trim().min(1).max(maxSummaryCharacters) }),
    response: summary,
  },
  /** From then on the messages are left out without a substitute. */
  'DELETE /console/chats/:chatId/messages/:messageId/summary': {
    access: 'person',
    answer: 'json',
    response: done,
  },
} as const satisfies RouteTable;

export type Summary = Shape<typeof summary>;
export type WhenFull = Shape<typeof whenFull>;
