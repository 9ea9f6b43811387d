import { z } from 'zod';
import { done } from './fields.ts';
import type { RouteTable } from './route.ts';
import type { Shape } from './shape.ts';

/** Engines and models as they are written, for whoever changes them on the web. */

const list = z.enum(['engines', 'models']);
const name = z.string().min(1).max(200);

/** In the form of the settings file, and checked as that is: its checks name the field and say what fits. */
const entry = z.record(z.string().max(100), z.unknown());

const catalogueEntry = z.object({
  /** Of an engine its name, of a model its id. */
  name: z.string(),
  /** Only what was made `here` is changed here. */
  origin: z.enum(['here', 'settings-file', 'built-in']),
  /** Secrets are masked. */
  entry: z.record(z.string(), z.unknown()),
});

export const catalogueRoutes = {
  'GET /console/administration/catalogue': {
    access: 'administrator',
    answer: 'json',
    response: z.object({ engines: z.array(catalogueEntry), models: z.array(catalogueEntry) }),
  },
  /** In force when it is answered. */
  'POST /console/administration/catalogue': {
    access: 'administrator',
    answer: 'json',
    body: z.strictObject({ list, entry }),
    response: done,
  },
  /** The whole entry anew. A credential that is still masked stays the one it was, while the address stays. */
  'PUT /console/administration/catalogue': {
    access: 'administrator',
    answer: 'json',
    body: z.strictObject({ list, name, entry }),
    response: done,
  },
  /**
   * A real question to what is in the form, checked as it would be to be kept; nothing is kept. Of an engine its model
   * of the given name, or the first that it names; of a model the first of its engines. One at a time for each operator.
   */
  'POST /console/administration/catalogue/try': {
    access: 'administrator',
    answer: 'json',
    body: z.strictObject({
      list,
      /** Of the entry whose place it would take. */
      name: name.optional(),
      entry,
      upstreamModel: z
        .string()
        .regex(/^[^\s\p{Cc}]{1,200}$/u)
        .optional(),
    }),
    response: z.object({
      isWell: z.boolean(),
      /** The answer, or what went wrong. */
      text: z.string(),
      tookMs: z.number().int(),
      /** The engine that was asked, and for which model, by the name that it has there; null: none could be asked for. */
      engine: z.string(),
      upstreamModel: z.string().nullable(),
    }),
  },
  /** Running answers go on. */
  'DELETE /console/administration/catalogue': {
    access: 'administrator',
    answer: 'json',
    query: z.object({ list, name }),
    response: done,
  },
} as const satisfies RouteTable;

export type CatalogueEntryView = Shape<typeof catalogueEntry>;
