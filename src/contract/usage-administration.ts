import { z } from 'zod';
import { id } from './fields.ts';
import type { RouteTable } from './route.ts';
import type { Shape } from './shape.ts';
import { period } from './usage.ts';

const grouping = z.enum(['project', 'person', 'key', 'network', 'model', 'day', 'door']);
const query = period.extend({
  by: grouping,
  projectId: id.optional(),
  personId: z.string().max(64).optional(),
});

const amounts = z.object({
  requests: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cachedTokens: z.number().int(),
  reasoningTokens: z.number().int(),
  /** The part of input and output that nobody measured. */
  estimatedTokens: z.number().int(),
  unfinishedRequests: z.number().int(),
});

/** The figures of `gatehouse usage`. */
const groupUsage = amounts.extend({
  /** The id, name or date that the row stands for; empty where requests have none. */
  group: z.string(),
  /** What to show: the key's name and prefix, the person's e-mail. */
  label: z.string(),
});

export const usageByGroup = z.object({
  from: z.string(),
  to: z.string(),
  /** Largest first, and no more than a page shows; days in their order. The file has all. */
  groups: z.array(groupUsage),
  /** What the groups that are not shown used together, and how many they are. */
  others: amounts.extend({ groups: z.number().int() }).nullable(),
  days: z.array(
    z.object({
      day: z.string(),
      /** The four with most tokens and the four with most requests; null for all others together. */
      group: z.string().nullable(),
      requests: z.number().int(),
      tokens: z.number().int(),
    }),
  ),
});

export const usageAdministrationRoutes = {
  'GET /console/administration/usage': {
    access: 'administrator',
    answer: 'json',
    query,
    response: usageByGroup,
  },
  'GET /console/administration/usage.csv': { access: 'administrator', answer: 'file', query },
  /** The same of one project, for its leads. */
  'GET /console/projects/:projectId/usage': {
    access: 'person',
    answer: 'json',
    query: period.extend({ by: z.enum(['person', 'model', 'day']) }),
    response: usageByGroup,
  },
} as const satisfies RouteTable;

export type UsageByGroup = Shape<typeof usageByGroup>;
export type GroupUsage = UsageByGroup['groups'][number];
export type UsageGroupingName = z.infer<typeof grouping>;
