import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { effort } from './fields.ts';

/** `starting` engines answer soon; `degraded` models answer on fewer engines than they should. */
export const health = z.enum(['healthy', 'degraded', 'starting', 'down', 'unknown']);

export const model = z.object({
  id: z.string(),
  /** One sentence for people who choose. */
  description: z.string(),
  /** Questions it answers well; empty when nobody said. */
  suggestions: z.array(z.string()),
  supportsTools: z.boolean(),
  /** Whether it can look at pictures. */
  supportsVision: z.boolean(),
  /** It turns texts into vectors and writes no answers. */
  isForEmbeddings: z.boolean(),
  showsThinking: z.boolean(),
  /** Empty when the model has no such dial. */
  effortLevels: z.array(effort),
  defaultEffort: effort.nullable(),
  contextTokens: z.number().int().nullable(),
  health,
  /** The small model that ships with the program. */
  isForTryingOut: z.boolean(),
  directAddress: z.string(),
  proxyAddress: z.string(),
});

export const modelRoutes = {
  'GET /console/models': {
    access: 'person',
    answer: 'json',
    response: z.object({ models: z.array(model) }),
  },
} as const satisfies RouteTable;

export type Health = Shape<typeof health>;
export type Model = Shape<typeof model>;
