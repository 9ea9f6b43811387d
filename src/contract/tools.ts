import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { done, moment } from './fields.ts';
import { tool, toolConsent } from './messages.ts';

/** Tool servers that a person can switch on, and what they let tools do. What a server says is hostile text. */

export const toolServer = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string(),
  /** Null while the server does not answer. */
  tools: z
    .array(
      z.object({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        /** As the model is told of it, where that was asked for. */
        told: tool.optional(),
      }),
    )
    .nullable(),
});

export const standingConsent = z.object({ server: z.string(), tool: z.string(), givenAt: moment });

export const toolRoutes = {
  'GET /console/tools': {
    access: 'person',
    answer: 'json',
    query: z.object({ told: z.literal('with').optional() }),
    response: z.object({ servers: z.array(toolServer) }),
  },
  /** Answers the question whether a call that waits may be made. `generationId` is that of its message. */
  'POST /console/generations/:generationId/consent': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ decision: z.enum([...toolConsent.options, 'refuse']) }),
    response: done,
  },
  /** What one has allowed for all chats. */
  'GET /console/tools/consents': {
    access: 'person',
    answer: 'json',
    response: z.object({ consents: z.array(standingConsent) }),
  },
  /** Also takes back what was allowed in single chats. */
  'POST /console/tools/consents/withdraw': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ server: z.string().max(32), tool: z.string().max(128) }),
    response: done,
  },
} as const satisfies RouteTable;

export type ToolServer = Shape<typeof toolServer>;
