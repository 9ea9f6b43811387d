import type { z } from 'zod';
import { administrationRoutes } from './administration.ts';
import { appearanceRoutes } from './appearance.ts';
import { auditRoutes } from './audit.ts';
import { bulletinRoutes } from './bulletin.ts';
import { catalogueRoutes } from './catalogue.ts';
import { chatRoutes } from './chats.ts';
import { connectRoutes } from './connect.ts';
import { documentRoutes } from './documents.ts';
import { feedbackRoutes } from './feedback.ts';
import { folderRoutes } from './folders.ts';
import { generationRoutes } from './generations.ts';
import { keyRoutes } from './keys.ts';
import { modelRoutes } from './models.ts';
import { operationsRoutes } from './operations.ts';
import { presetRoutes } from './presets.ts';
import { projectRoutes } from './projects.ts';
import { personAdministrationRoutes } from './person-administration.ts';
import type { PathParameters } from './route.ts';
import { receiptRoutes } from './receipts.ts';
import { sessionRoutes } from './session.ts';
import type { DeepReadonly, Shape } from './shape.ts';
import { usageAdministrationRoutes } from './usage-administration.ts';
import { statusRoutes } from './status.ts';
import { spaceRoutes } from './spaces.ts';
import { summaryRoutes } from './summaries.ts';
import { toolRoutes } from './tools.ts';
import { usageRoutes } from './usage.ts';

/**
 * The one source of `/console/`: every route with who may call it, what it takes and what it gives. The server
 * validates with these schemas; the web application imports the types. The shapes live beside this file.
 *
 * Refusals are OpenAI error objects (`errors.ts`). Everything but GET needs the headers
 * `content-type: application/json` (when there is a body) and `x-csrf-token` with the token of the session;
 * for a caller who is signed out any non-empty token will do.
 */
export const consoleRoutes = {
  ...sessionRoutes,
  ...keyRoutes,
  ...modelRoutes,
  ...chatRoutes,
  ...folderRoutes,
  ...presetRoutes,
  ...documentRoutes,
  ...generationRoutes,
  ...receiptRoutes,
  ...feedbackRoutes,
  ...summaryRoutes,
  ...usageRoutes,
  ...connectRoutes,
  ...administrationRoutes,
  ...auditRoutes,
  ...catalogueRoutes,
  ...projectRoutes,
  ...operationsRoutes,
  ...personAdministrationRoutes,
  ...usageAdministrationRoutes,
  ...bulletinRoutes,
  ...appearanceRoutes,
  ...statusRoutes,
  ...toolRoutes,
  ...spaceRoutes,
} as const;

export type ConsoleRoutes = typeof consoleRoutes;
export type RouteName = keyof ConsoleRoutes;

/** What the page gives: path parameters, query and body, before the server has checked them. */
export type RequestOf<Name extends RouteName> = PathParameters<Name> &
  (ConsoleRoutes[Name] extends { query: infer Query extends z.ZodType }
    ? { query?: DeepReadonly<z.input<Query>> }
    : object) &
  (ConsoleRoutes[Name] extends { body: infer Body extends z.ZodType }
    ? { body: DeepReadonly<z.input<Body>> }
    : object) &
  (ConsoleRoutes[Name] extends { takesBytes: number } ? { bytes: Uint8Array<ArrayBuffer> } : object);

/** What a JSON route answers, or what one event of an event stream holds. */
export type ResponseOf<Name extends RouteName> = ConsoleRoutes[Name] extends {
  response: infer Response extends z.ZodType;
}
  ? Shape<Response>
  : never;

export const csrfHeader = 'x-csrf-token';
