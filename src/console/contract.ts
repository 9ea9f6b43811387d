import type { z } from 'zod';
import { administrationRoutes } from './contract/administration.ts';
import { chatRoutes } from './contract/chats.ts';
import { connectRoutes } from './contract/connect.ts';
import { generationRoutes } from './contract/generations.ts';
import { keyRoutes } from './contract/keys.ts';
import { modelRoutes } from './contract/models.ts';
import type { PathParameters } from './contract/route.ts';
import { sessionRoutes } from './contract/session.ts';
import { usageRoutes } from './contract/usage.ts';

/**
 * The one source of `/console/`: every route with who may call it, what it takes and what it gives. The server
 * validates with these schemas; the web application imports the types. The shapes live in `contract/`.
 *
 * Refusals are OpenAI error objects (`contract/errors.ts`). Everything but GET needs the headers
 * `content-type: application/json` (when there is a body) and `x-csrf-token` with the token of the session;
 * for a caller who is signed out any non-empty token will do.
 */
export const consoleRoutes = {
  ...sessionRoutes,
  ...keyRoutes,
  ...modelRoutes,
  ...chatRoutes,
  ...generationRoutes,
  ...usageRoutes,
  ...connectRoutes,
  ...administrationRoutes,
} as const;

export type ConsoleRoutes = typeof consoleRoutes;
export type RouteName = keyof ConsoleRoutes;

/** What the page gives: path parameters, query and body, before the server has checked them. */
export type RequestOf<Name extends RouteName> = PathParameters<Name> &
  (ConsoleRoutes[Name] extends { query: infer Query extends z.ZodType }
    ? { query?: z.input<Query> }
    : object) &
  (ConsoleRoutes[Name] extends { body: infer Body extends z.ZodType } ? { body: z.input<Body> } : object);

/** What a JSON route answers, or what one event of an event stream holds. */
export type ResponseOf<Name extends RouteName> = ConsoleRoutes[Name] extends {
  response: infer Response extends z.ZodType;
}
  ? z.output<Response>
  : never;

export const csrfHeader = 'x-csrf-token';
