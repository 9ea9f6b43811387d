import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { appearance } from './appearance.ts';
import { whenFull } from './summaries.ts';
import { done, effort, email, id, moment, newPassword, personName, role } from './fields.ts';

/** Who sits in front of the page, how they sign in, and on which devices they are. */

export const preferences = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** A language tag; empty means the browser's. */
  language: z.string().max(35),
  /** Empty means the first model of the list. */
  defaultModel: z.string().max(200),
  defaultEffort: effort.nullable(),
  /** Sent as the system prompt of new chats. */
  systemPrompt: z.string().max(20_000),
  automaticTitles: z.boolean(),
  sendWithEnter: z.boolean(),
  /** `ask`: the page asks in each chat where it comes to that. */
  whenFull: z.enum(['ask', ...whenFull.options]),
});

export const person = z.object({
  id,
  name: z.string(),
  email: z.string(),
  role,
  hasPassword: z.boolean(),
  /** False where there are no local accounts, and for people whom a provider vouches for. */
  maySetPassword: z.boolean(),
  /** The sign-in providers connected to this person; the id is null for one that is not used any more. */
  providers: z.array(z.object({ id: z.string().nullable(), name: z.string() })),
  /** The provider that vouches for this account and decides about it; null for accounts of this service. */
  managedBy: z.string().nullable(),
  createdAt: moment,
  preferences,
});

export const sessionState = z.object({
  service: appearance.extend({
    version: z.string(),
    publicUrl: z.string(),
    isStatusPublic: z.boolean(),
  }),
  person: person.nullable(),
  /** Why whoever holds a session is not let in with it; null for everybody else. */
  problem: z.literal('account_disabled').nullable(),
  /** Send it as `x-csrf-token` with everything but GET. Changes at sign-in and sign-out. */
  csrfToken: z.string(),
  /** When this session ends if nobody uses it; null when signed out. */
  expiresAt: moment.nullable(),
  /** `password`, `link`, `invitation` or the name of a provider; null when signed out. */
  signedInBy: z.string().nullable(),
  signIn: z.object({
    password: z.boolean(),
    /** Whoever forgot the password can have a sign-in link sent. */
    sendsLinks: z.boolean(),
    /** Open `/console/sign-in/provider/<id>?returnTo=/` as a page, not with fetch. */
    providers: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  /** What one's chats take in the database, and may take; null when signed out. */
  storage: z.object({ usedBytes: z.number().int(), limitBytes: z.number().int() }).nullable(),
  capabilities: z.object({
    mayChat: z.boolean(),
    mayCreateKeys: z.boolean(),
    mayAdminister: z.boolean(),
    mayInvite: z.boolean(),
  }),
});

export const device = z.object({
  id,
  isCurrent: z.boolean(),
  /** In words, from the user agent: "Firefox on Linux". */
  description: z.string(),
  address: z.string(),
  /** `password`, `link`, `invitation` or the name of a provider. */
  method: z.string(),
  createdAt: moment,
  lastSeenAt: moment,
  expiresAt: moment,
});

export const invitationPreview = z.object({
  email: z.string().nullable(),
  invitedBy: z.string(),
  expiresAt: moment,
});

export const sessionRoutes = {
  'GET /console/session': { access: 'anyone', answer: 'json', response: sessionState },
  'POST /console/sign-in/password': {
    access: 'anyone',
    answer: 'json',
    body: z.strictObject({ email: z.string().max(254), password: z.string().max(1024) }),
    response: sessionState,
  },
  /** Sends a sign-in link to whoever has this address. The answer is the same when nobody has. */
  'POST /console/sign-in/letter': {
    access: 'anyone',
    answer: 'json',
    body: z.strictObject({ email }),
    response: done,
  },
  /** The page `/sign-in#link=<token>` posts the token; a fragment reaches no log and no link preview. */
  'POST /console/sign-in/link': {
    access: 'anyone',
    answer: 'json',
    body: z.strictObject({ token: z.string().max(200) }),
    response: sessionState,
  },
  'GET /console/sign-in/provider/:providerId': {
    access: 'anyone',
    answer: 'redirect',
    query: z.object({
      returnTo: z.string().max(1000).optional(),
      /** `other`: for somebody who was refused, or shares a computer. */
      account: z.enum(['other']).optional(),
    }),
    pathIsCapability: true,
  },
  /**
   * For somebody who is signed in: go to `url`, and come back with this provider connected to the account. Ends at
   * `/settings/account`, or there with `?problem=<code>`.
   */
  'POST /console/account/providers/connect': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ providerId: z.string().max(64) }),
    response: z.object({ url: z.string() }),
  },
  /** Not for the provider that vouches for the account. */
  'POST /console/account/providers/disconnect': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ providerId: z.string().max(64) }),
    response: person,
  },
  /** Ends at `returnTo`, or at `/sign-in?problem=<code>` with a code of `signInProblem` and, where known, `#account=<e-mail>`. */
  'GET /console/sign-in/provider/:providerId/callback': {
    access: 'anyone',
    answer: 'redirect',
    query: z.record(z.string(), z.string().max(8000)),
    pathIsCapability: true,
  },
  'POST /console/sign-out': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ scope: z.enum(['here', 'elsewhere', 'everywhere']) }),
    /** When set, go there next: it signs out at the provider too and comes back. */
    response: z.object({ providerSignOutUrl: z.string().nullable() }),
  },
  'GET /console/sessions': {
    access: 'person',
    answer: 'json',
    response: z.object({ sessions: z.array(device) }),
  },
  'DELETE /console/sessions/:sessionId': { access: 'person', answer: 'json', response: done },
  'PATCH /console/account': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ name: personName.optional(), preferences: preferences.partial().optional() }),
    response: person,
  },
  /** Signs out everywhere else. `current` is null only for a person who has no password yet. */
  'POST /console/account/password': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ current: z.string().max(1024).nullable(), next: newPassword }),
    response: sessionState,
  },
  /** The page `/invitation#<token>` posts the token. */
  'POST /console/invitation/preview': {
    access: 'anyone',
    answer: 'json',
    body: z.strictObject({ token: z.string().max(200) }),
    response: invitationPreview,
  },
  'POST /console/invitation/accept': {
    access: 'anyone',
    answer: 'json',
    body: z.strictObject({
      token: z.string().max(200),
      name: personName,
      email,
      password: newPassword,
    }),
    response: sessionState,
  },
} as const satisfies RouteTable;

export const signInProblem = z.enum([
  'provider_refused',
  'provider_unreachable',
  'sign_in_expired',
  'sign_in_not_verified',
  'not_permitted',
  'account_disabled',
  'account_pending',
  'email_in_use',
  'identity_in_use',
]);

export type Preferences = Shape<typeof preferences>;
export type SessionState = Shape<typeof sessionState>;
export type Device = Shape<typeof device>;
export type InvitationPreview = Shape<typeof invitationPreview>;
export type SignInProblem = Shape<typeof signInProblem>;
