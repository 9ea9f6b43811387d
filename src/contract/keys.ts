import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { done, id, moment } from './fields.ts';

const keyName = z.string().trim().min(1).max(100);
const keyModels = z.array(z.string().max(200)).max(100);
const keyNetworks = z.array(z.string().max(64)).max(50);

/** Never the secret: that is shown once, when the key is made. */
export const apiKey = z.object({
  id,
  name: z.string(),
  /** The first characters of the secret, to tell keys apart. */
  prefix: z.string(),
  createdAt: moment,
  expiresAt: moment.nullable(),
  lastUsedAt: moment.nullable(),
  lastUsedFrom: z.string().nullable(),
  /** Empty means every model. */
  models: z.array(z.string()),
  /** Empty means every network. CIDRs. */
  networks: z.array(z.string()),
  projectId: id,
  projectName: z.string(),
  /** A key works in an open project only: not after its end, not without its owner, not when it was removed. */
  projectState: z.enum(['open', 'ended', 'left', 'removed']),
  /** Gets what others leave, and never nothing. */
  isBackground: z.boolean(),
  state: z.enum(['active', 'expired', 'revoked']),
  /** Rotated: a successor exists, and this one works until it expires. */
  isReplaced: z.boolean(),
});

export const keyLimits = z.object({
  maxKeys: z.number().int(),
  /** Null: keys may live for ever. */
  maxLifetimeDays: z.number().int().nullable(),
});

export const keyRoutes = {
  'GET /console/keys': {
    access: 'person',
    answer: 'json',
    response: z.object({ keys: z.array(apiKey), limits: keyLimits }),
  },
  'POST /console/keys': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({
      name: keyName,
      expiresAt: moment.nullable().optional(),
      models: keyModels.optional(),
      networks: keyNetworks.optional(),
      /** One of the caller's own. Without it `everyone`. */
      projectId: id.optional(),
      isBackground: z.boolean().optional(),
    }),
    innerIds: ['projectId'],
    response: z.object({ key: apiKey, secret: z.string() }),
  },
  'PATCH /console/keys/:keyId': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ name: keyName }),
    response: apiKey,
  },
  /** A new secret with the same name and restrictions; the old one keeps working for the overlap. */
  'POST /console/keys/:keyId/rotate': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({
      overlapHours: z
        .number()
        .min(0)
        .max(24 * 30),
    }),
    response: z.object({ key: apiKey, secret: z.string(), previous: apiKey }),
  },
  'DELETE /console/keys/:keyId': { access: 'person', answer: 'json', response: done },
} as const satisfies RouteTable;

export type ApiKey = Shape<typeof apiKey>;
export type KeyLimits = Shape<typeof keyLimits>;
