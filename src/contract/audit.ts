import { z } from 'zod';
import { cursor, done, id, moment, pageLimit } from './fields.ts';
import type { RouteTable } from './route.ts';
import type { Shape } from './shape.ts';

export type { AuditKind } from '#vocabulary/audit';

/** Who did what to whom: for the person concerned, and for administrators. */

const detail = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** `person`, `stranger` (nobody signed in), `command` (at the machine), `provider`, or `service`. */
const actorKind = z.enum(['person', 'stranger', 'command', 'provider', 'service']);

/** Something that happened to one's own account. */
const activity = z.object({
  id,
  at: moment,
  /** `sign-in`, `key-created` and so on; newer versions may add some. */
  kind: z.string(),
  by: z.object({
    kind: actorKind,
    isYou: z.boolean(),
    /** Of a person, a user of the machine, or a provider. */
    name: z.string().nullable(),
  }),
  address: z.string().nullable(),
  /** In words, from the user agent: "Firefox on Linux". */
  device: z.string().nullable(),
  detail,
});

/** The same as administrators see it: about anybody, with ids and the hash that chains it to the one before. */
export const auditEntry = activity.omit({ by: true }).extend({
  by: z.object({ kind: actorKind, id: z.string().nullable(), name: z.string().nullable() }),
  person: z.object({ id, name: z.string().nullable() }).nullable(),
  hash: z.string(),
});

export const auditRoutes = {
  /** Newest first. */
  'GET /console/account/activity': {
    access: 'person',
    answer: 'json',
    query: z.object({ cursor, limit: pageLimit }),
    response: z.object({ entries: z.array(activity), nextCursor: z.string().nullable() }),
  },
  /** What the person should hear of and has not acknowledged; at most 20, newest first. */
  'GET /console/account/notices': {
    access: 'person',
    answer: 'json',
    response: z.object({ entries: z.array(activity) }),
  },
  /** `upTo` is the id of the newest notice that was shown. */
  'POST /console/account/notices/seen': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ upTo: id }),
    response: done,
  },
  /** Newest first. */
  'GET /console/administration/audit': {
    access: 'administrator',
    answer: 'json',
    query: z.object({
      kind: z.string().max(64).optional(),
      /** Somebody by id or e-mail address: who did it, or whom it concerns. */
      who: z.string().max(300).optional(),
      /** The person concerned. */
      personId: id.optional(),
      /** Whoever did it: a person's id, a user of the machine, an issuer. */
      actorId: z.string().max(300).optional(),
      since: z.coerce.number<number>().int().optional(),
      until: z.coerce.number<number>().int().optional(),
      cursor,
      limit: pageLimit,
    }),
    response: z.object({ entries: z.array(auditEntry), nextCursor: z.string().nullable() }),
  },
  /** Reads the whole trail: whether anything was changed or is missing, and where that begins. */
  'GET /console/administration/audit/verdict': {
    access: 'administrator',
    answer: 'json',
    /** `entries` are sound; `brokenAt` is the first one that is missing or was changed. */
    response: z.object({
      entries: z.number().int(),
      head: z.string(),
      brokenAt: z.number().int().nullable(),
    }),
    answersAtLength: true,
  },
  /** One JSON object per line, oldest first: the lines of `gatehouse audit export`. */
  'GET /console/administration/audit.jsonl': {
    access: 'administrator',
    answer: 'file',
    query: z.object({
      kind: z.string().max(64).optional(),
      who: z.string().max(300).optional(),
      since: z.coerce.number<number>().int().optional(),
      until: z.coerce.number<number>().int().optional(),
    }),
    answersAtLength: true,
  },
} as const satisfies RouteTable;

export type AuditEntryView = Shape<typeof auditEntry>;
export type Activity = z.infer<typeof activity>;
