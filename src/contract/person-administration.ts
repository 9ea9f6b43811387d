import { z } from 'zod';
import type { RouteTable } from './route.ts';
import type { Shape } from './shape.ts';
import { personRecord } from './administration.ts';
import { done, id, moment } from './fields.ts';
import { apiKey } from './keys.ts';
import { limits, standing } from './projects.ts';

/** A key as administrators see it: whose it is, and what limits it. Never the secret. */
export const keyRecord = apiKey.extend({
  owner: z.object({
    id,
    name: z.string(),
    email: z.string(),
    /** Keys of somebody who is not active do not work. */
    isActive: z.boolean(),
  }),
  /** For all models together. */
  limits,
});

export const personAdministrationRoutes = {
  'GET /console/administration/people/:personId': {
    access: 'administrator',
    answer: 'json',
    response: personRecord,
  },
  /** What is left of everything that limits the person. */
  'GET /console/administration/people/:personId/standing': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ standing: z.array(standing) }),
  },
  /**
   * For good, with chats, keys, sessions and memberships; usage stays in the books. Only somebody who is disabled, and
   * nobody removes themselves.
   */
  'DELETE /console/administration/people/:personId': {
    access: 'administrator',
    answer: 'json',
    response: done,
  },
  /**
   * What belongs to the person, before it is removed: the account with keys, memberships, usage and activity, or the
   * chats in the form that can be imported again. Chats only of somebody who is disabled. The person is told of both.
   */
  'GET /console/administration/people/:personId/export': {
    access: 'administrator',
    answer: 'file',
    query: z.object({ part: z.enum(['account', 'chats']) }),
    answersAtLength: true,
  },
  'GET /console/administration/people/:personId/keys': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ keys: z.array(apiKey) }),
  },
  /** All that work. */
  'DELETE /console/administration/people/:personId/keys': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ revoked: z.number().int() }),
  },
  'DELETE /console/administration/people/:personId/keys/:keyId': {
    access: 'administrator',
    answer: 'json',
    response: done,
  },
  /** Newest first. */
  'GET /console/administration/keys': {
    access: 'administrator',
    answer: 'json',
    query: z.object({
      /** Inside the names of key and owner, the address of the owner, and the first characters of the key. */
      q: z.string().max(200).optional(),
      projectId: id.optional(),
      /** `unused`: works, and was never used or not for 90 days. */
      state: z.enum(['active', 'unused', 'expired', 'revoked']).optional(),
      cursor: z.coerce.number<number>().int().min(0).optional(),
      limit: z.coerce.number<number>().int().min(1).max(200).optional(),
    }),
    response: z.object({
      keys: z.array(keyRecord),
      total: z.number().int(),
      nextCursor: z.number().int().nullable(),
    }),
  },
  /** Those that are unknown or do not work any more are passed over. */
  'POST /console/administration/keys/revoke': {
    access: 'administrator',
    answer: 'json',
    body: z.strictObject({ keyIds: z.array(id).min(1).max(500) }),
    response: z.object({ revoked: z.number().int(), at: moment }),
  },
} as const satisfies RouteTable;

export type KeyRecord = Shape<typeof keyRecord>;
