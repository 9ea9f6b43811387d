import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';

/** The facts that snippets are filled with; the page keeps the wording. */
export const connectFacts = z.object({
  /** `https://host[:port]` without a slash at the end. */
  publicUrl: z.string(),
  host: z.string(),
  port: z.number().int(),
  /** `{publicUrl}/api/` */
  proxyBase: z.string(),
  models: z.array(
    z.object({
      id: z.string(),
      /** `{publicUrl}/<path>/v1/` */
      directBase: z.string(),
      path: z.string(),
      isForEmbeddings: z.boolean(),
    }),
  ),
  /** The address that tunnels lead to; null when the operator has not said and it is not a literal in the URL. */
  serverAddress: z.string().nullable(),
  /** Where this person's browser seems to be, and whether the direct door opens from there. */
  callerAddress: z.string(),
  mayUseDirectDoor: z.boolean(),
});

export const connectRoutes = {
  'GET /console/connect': { access: 'person', answer: 'json', response: connectFacts },
} as const satisfies RouteTable;

export type ConnectFacts = Shape<typeof connectFacts>;
