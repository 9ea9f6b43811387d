import { z } from 'zod';
import type { RouteTable } from './route.ts';
import type { Shape } from './shape.ts';

/** What stands behind one answer, signed by the service. The same over the API and for the page: docs/receipts.md. */

const digest = z.object({ sha256: z.string(), bytes: z.number().int() });

export const receipt = z.object({
  version: z.literal(1),
  /** The address of the service. */
  service: z.string(),
  request_id: z.string(),
  created_at: z.string(),
  duration_ms: z.number(),
  endpoint: z.string(),
  model: z.string(),
  engine: z.object({
    name: z.string(),
    kind: z.string(),
    version: z.string().nullable(),
    /** When the engine said so. */
    as_of: z.string().nullable(),
  }),
  weights: z.object({ name: z.string().nullable(), sha256: z.string().nullable() }),
  chat_template: z.object({ sha256: z.string().nullable() }),
  parameters: z.record(z.string(), z.unknown()),
  /** What holds where `parameters` says nothing; empty when only the engine knows. */
  defaults: z.record(z.string(), z.unknown()),
  seed: z.object({ value: z.number(), chosen_by: z.enum(['caller', 'service']) }).nullable(),
  ignored_parameters: z.array(z.string()),
  prompt: digest,
  answer: digest,
  tool_calls: digest.nullable(),
  ending: z.string(),
  continuations: z.number().int(),
  usage: z.object({
    input_tokens: z.number(),
    output_tokens: z.number(),
    cached_tokens: z.number(),
    reasoning_tokens: z.number(),
    is_estimated: z.boolean(),
  }),
});

export const signedReceipt = z.object({
  receipt,
  signature: z.object({ algorithm: z.literal('Ed25519'), key_id: z.string(), value: z.string() }),
});

export const receiptRoutes = {
  /** Of an answer that this person has asked for, in the chat or with a key. */
  'GET /console/receipts/:requestId': { access: 'person', answer: 'json', response: signedReceipt },
} as const satisfies RouteTable;

export type SignedReceipt = Shape<typeof signedReceipt>;
