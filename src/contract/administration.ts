import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { cursor, done, email, id, moment, pageLimit, role } from './fields.ts';
import { health } from './models.ts';

/** What administrators see and do. Secrets and conversations are never part of it. */

export const personRecord = z.object({
  id,
  name: z.string(),
  email: z.string(),
  role,
  /** Only active people may do anything; pending ones wait for an administrator, withdrawn ones for their provider. */
  state: z.enum(['active', 'pending', 'disabled', 'withdrawn']),
  createdAt: moment,
  lastSeenAt: moment.nullable(),
  activeKeys: z.number().int(),
  /** The sign-in provider that vouches for the account; null for accounts of this service. */
  provider: z.string().nullable(),
  /** Without `everyone`. */
  projects: z.array(
    z.object({ id, name: z.string(), role: z.enum(['member', 'lead']), isByGroup: z.boolean() }),
  ),
  /** What the chats take, and may take. */
  storage: z.object({ usedBytes: z.number().int(), limitBytes: z.number().int() }),
});

const personState = z.enum(['active', 'pending', 'disabled', 'withdrawn']);

export const invitation = z.object({
  id,
  email: z.string().nullable(),
  role,
  invitedBy: z.string(),
  createdAt: moment,
  expiresAt: moment,
  state: z.enum(['open', 'accepted', 'revoked', 'expired']),
  /** Of which whoever accepts becomes a member. */
  projects: z.array(z.object({ id, name: z.string() })),
  /** Whether it was sent by e-mail; null where it was not to be. */
  letter: z.enum(['waiting', 'sent', 'failed']).nullable(),
});

const invitationWishes = z.strictObject({
  role,
  expiresInDays: z.number().int().min(1).max(90),
  projects: z.array(id).max(50).optional(),
});

export const engine = z.object({
  name: z.string(),
  kind: z.string(),
  /** Without credentials. */
  address: z.string(),
  health,
  healthNote: z.string(),
  maxConcurrent: z.number().int(),
  models: z.array(z.string()),
});

export const settingInEffect = z.object({
  /** `limits.maxBodyBytes` */
  name: z.string(),
  /** As a person would write it; secrets are masked. */
  value: z.string(),
  /** `default`, `environment NAME`, or a line of a file; two of them with ` and ` between. */
  source: z.string(),
});

export const administrationRoutes = {
  'GET /console/administration/people': {
    access: 'administrator',
    answer: 'json',
    query: z.object({
      q: z.string().max(200).optional(),
      state: personState.optional(),
      role: role.optional(),
      cursor,
      limit: pageLimit,
    }),
    response: z.object({ people: z.array(personRecord), nextCursor: z.string().nullable() }),
  },
  /** Disabling ends sessions, keys and running answers at once. Nobody disables or demotes themselves. */
  'PATCH /console/administration/people/:personId': {
    access: 'administrator',
    answer: 'json',
    body: z.strictObject({ state: z.enum(['active', 'disabled']).optional(), role: role.optional() }),
    response: personRecord,
  },
  /** Ends every session of this person. */
  'POST /console/administration/people/:personId/sign-out': {
    access: 'administrator',
    answer: 'json',
    response: done,
  },
  /** A link that signs this person in once: for somebody who forgot the password. */
  'POST /console/administration/people/:personId/sign-in-link': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ url: z.string(), expiresAt: moment }),
  },
  'GET /console/administration/invitations': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ invitations: z.array(invitation) }),
  },
  'POST /console/administration/invitations': {
    access: 'administrator',
    answer: 'json',
    /** With an address, only that address can accept. */
    body: invitationWishes.extend({ email: email.nullable() }),
    /** The link is shown once. */
    response: z.object({ invitation, url: z.string() }),
  },
  /** One link for each address. Who has an account already gets none, and joins the projects at once. */
  'POST /console/administration/invitations/many': {
    access: 'administrator',
    answer: 'json',
    body: invitationWishes.extend({ emails: z.array(email).min(1).max(500) }),
    /** The links are shown once. */
    response: z.object({
      /** They are also on their way by e-mail. */
      areSent: z.boolean(),
      invited: z.array(z.object({ email: z.string(), url: z.string() })),
      known: z.array(z.object({ email: z.string() })),
    }),
  },
  'DELETE /console/administration/invitations/:invitationId': {
    access: 'administrator',
    answer: 'json',
    response: done,
  },
  'GET /console/administration/engines': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ engines: z.array(engine) }),
  },
  'GET /console/administration/settings': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ settings: z.array(settingInEffect) }),
  },
} as const satisfies RouteTable;

export type PersonRecord = Shape<typeof personRecord>;
export type Invitation = Shape<typeof invitation>;
export type SettingInEffect = Shape<typeof settingInEffect>;
