import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { moment } from './fields.ts';
import { health } from './models.ts';

/** How the service is doing, for whoever runs it. Nothing of what anybody asked or was answered. */

const count = z.number().int();

export const engineOverview = z.object({
  name: z.string(),
  kind: z.string(),
  models: z.array(z.string()),
  health,
  healthNote: z.string(),
  inFlight: count,
  maxConcurrent: count,
  /** Requests in the line for a model of this engine. */
  waiting: count,
  /** Over the last half minute. */
  outputTokensPerSecond: z.number(),
  /** Over the last five minutes. */
  requests: count,
  failures: count,
  /** The part of the prompts of the last five minutes that the engine still held; null without any. */
  cachedPart: z.number().nullable(),
  /** The part of its memory for prompts and answers that is taken; null when the engine does not say. */
  cacheUse: z.number().nullable(),
  /** When an answer for somebody last ended well; null when none has since the start. */
  lastGenerationAt: moment.nullable(),
});

export const slowRequest = z.object({
  requestId: z.string(),
  startedAt: moment,
  door: z.enum(['proxy', 'direct', 'chat']),
  model: z.string(),
  project: z.string(),
  engine: z.string().nullable(),
  ending: z.string(),
  waitMs: count,
  /** From the engine's getting the request to its first byte; null when none came. */
  firstByteMs: count.nullable(),
  durationMs: count,
});

export const overview = z.object({
  at: moment,
  version: z.string(),
  startedAt: moment,
  engines: z.array(engineOverview),
  line: z.object({
    waiting: count,
    running: count,
    projects: z.array(z.object({ id: z.string(), name: z.string(), waiting: count })),
  }),
  slowest: z.array(slowRequest),
  disk: z.object({ freeBytes: count, totalBytes: count, usedByServiceBytes: count }),
  /** Null when none was ever made of this database. */
  backup: z.object({ madeAt: moment, bytes: count }).nullable(),
  /** Null where TLS ends elsewhere. */
  certificate: z.object({ names: z.string(), validUntil: moment }).nullable(),
  /** Why the service takes no requests; empty when it does. */
  obstacles: z.array(z.string()),
});

export const historyPoint = z.object({
  at: moment,
  requests: count,
  failures: count,
  outputTokens: count,
  /** On average. */
  waiting: z.number(),
  running: z.number(),
  /** The time within which half, and 95 of 100, first tokens came; null without any. */
  firstTokenMs: count.nullable(),
  slowFirstTokenMs: count.nullable(),
});

const tokenComparison = z.object({
  ours: count,
  theirs: count,
  /** Theirs less ours, as a part of the larger: 0.2 when a fifth of the engine's tokens was not ours; null without any. */
  drift: z.number().nullable(),
});

/** Our sums of an engine's tokens beside its own counters. */
export const engineDrift = z.object({
  name: z.string(),
  kind: z.string(),
  /** `unread`: it could not be asked since the start. */
  counters: z.enum(['read', 'none', 'unread']),
  /** The last 24 hours together. */
  day: z.object({ input: tokenComparison, output: tokenComparison }),
  /** Newest first; hours in which the engine could not be asked are left out. */
  hours: z.array(
    z.object({
      at: moment,
      /** False when this process or the engine started in it, so that a part of it is not known. */
      isWhole: z.boolean(),
      input: tokenComparison,
      output: tokenComparison,
    }),
  ),
});

export const operationsRoutes = {
  'GET /console/administration/overview': { access: 'administrator', answer: 'json', response: overview },
  /** The last day in steps of half an hour, or the last month in steps of a day. Steps without news are left out. */
  'GET /console/administration/history': {
    access: 'administrator',
    answer: 'json',
    query: z.object({ span: z.enum(['day', 'month']) }),
    response: z.object({ from: moment, to: moment, stepMs: count, points: z.array(historyPoint) }),
  },
  /** Of the last 48 hours, since this process started. */
  'GET /console/administration/usage/drift': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ engines: z.array(engineDrift) }),
  },
  /** A real question to one engine, for one of its models; takes up to a minute. One at a time for each engine. */
  'POST /console/administration/engines/:engineName/test': {
    access: 'administrator',
    answer: 'json',
    body: z.strictObject({ modelId: z.string().max(200) }),
    response: z.object({
      isWell: z.boolean(),
      /** The answer, or what went wrong. */
      text: z.string(),
      tookMs: count,
    }),
  },
} as const satisfies RouteTable;

export type Overview = Shape<typeof overview>;
export type EngineOverview = Shape<typeof engineOverview>;
export type EngineDrift = Shape<typeof engineDrift>;
export type TokenComparison = EngineDrift['day']['input'];
export type HistorySpan = 'day' | 'month';
export type History = Shape<(typeof operationsRoutes)['GET /console/administration/history']['response']>;
