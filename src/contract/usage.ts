import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { id } from './fields.ts';
import { tokenUsage } from './messages.ts';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
/** Both days included, UTC. Absent: the last 30 days. */
export const period = z.object({ from: day.optional(), to: day.optional() });

/** One row per day, model, key and way in; days without use have none. */
export const usageRow = tokenUsage.extend({
  day,
  model: z.string(),
  door: z.enum(['proxy', 'direct', 'chat']),
  /** Null for the chat. */
  keyId: id.nullable(),
  requests: z.number().int(),
});

export const usageReport = z.object({
  from: day,
  to: day,
  rows: z.array(usageRow),
  /** Names of the keys in the rows, also of revoked ones. */
  keys: z.array(z.object({ id, name: z.string() })),
});

export const usageRoutes = {
  'GET /console/usage': { access: 'person', answer: 'json', query: period, response: usageReport },
  'GET /console/usage.csv': { access: 'person', answer: 'file', query: period },
} as const satisfies RouteTable;

export type UsageRow = Shape<typeof usageRow>;
export type UsageReport = Shape<typeof usageReport>;
