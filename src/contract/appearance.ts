import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';

/** What makes the service look like one's own. */

export const appearance = z.object({
  name: z.string(),
  /** `#rrggbb`; null: the colour of the house. */
  accent: z.string().nullable(),
  /** Empty: the usual words. */
  signInLead: z.string(),
  signInHelp: z.string(),
  /** Where the picture is; null: the mark of the house. */
  logoUrl: z.string().nullable(),
});

export const appearanceRoutes = {
  'PATCH /console/administration/appearance': {
    access: 'administrator',
    answer: 'json',
    body: z
      .strictObject({
        name: z.string().trim().min(1).max(60),
        accent: z
          .string()
          .regex(/^#[\da-f]{6}$/i)
          .nullable(),
        signInLead: z.string().trim().max(200),
        signInHelp: z.string().trim().max(500),
      })
      .partial(),
    response: appearance,
  },
  'PUT /console/administration/appearance/logo': {
    access: 'administrator',
    answer: 'json',
    body: z.strictObject({
      type: z.enum(['image/png', 'image/svg+xml']),
      base64: z.base64().max(180_000),
    }),
    response: appearance,
  },
  'DELETE /console/administration/appearance/logo': {
    access: 'administrator',
    answer: 'json',
    response: appearance,
  },
} as const satisfies RouteTable;

export type AppearanceView = Shape<typeof appearance>;
