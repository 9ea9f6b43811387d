import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { moment } from './fields.ts';
import { incident, shownAnnouncement } from './bulletin.ts';

/**
 * The status page, also at `/status.json`: how the models are doing, from real generations. No addresses, no names of
 * engines, and parts instead of counts.
 */

/** `unknown` while nothing was tried yet. */
export const serviceState = z.enum(['operational', 'degraded', 'outage', 'unknown']);

const part = z.number().min(0).max(1);

export const statusDay = z.object({
  /** `2026-11-15`, UTC. */
  day: z.string(),
  /** The part of the time in which the model could answer; null when nobody watched. */
  up: part.nullable(),
  /** The part of the day in which somebody watched. */
  watched: part,
  /** The part of the generations that failed; null without any. */
  failed: part.nullable(),
  /** The time within which half of the first tokens came, waiting included; null without any. */
  firstTokenMs: z.number().int().nullable(),
});

export const modelStatus = z.object({
  id: z.string(),
  state: serviceState,
  /** Over all the days. */
  up: part.nullable(),
  firstTokenMs: z.number().int().nullable(),
  /** Oldest first; the last is today. */
  days: z.array(statusDay),
});

export const statusReport = z.object({
  at: moment,
  service: z.string(),
  state: serviceState,
  models: z.array(modelStatus),
  announcements: z.array(shownAnnouncement.pick({ id: true, text: true, kind: true })),
  /** Open ones first, then those of the last days. */
  incidents: z.array(incident),
});

export const statusRoutes = {
  /** For people who are signed in, or for everybody, as the settings say (`status.readers`). */
  'GET /console/status': {
    access: 'anyone',
    answer: 'json',
    /** `today`: of each model the last day alone, for who has the others already. */
    query: z.object({ days: z.enum(['all', 'today']).default('all') }),
    response: statusReport,
  },
} as const satisfies RouteTable;

export type ServiceState = Shape<typeof serviceState>;
export type StatusDay = Shape<typeof statusDay>;
export type ModelStatus = Shape<typeof modelStatus>;
export type StatusReport = Shape<typeof statusReport>;
