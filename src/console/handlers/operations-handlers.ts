import type { operationsRoutes } from '#contract/operations';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';

export function createOperationsHandlers({ operations }: ConsoleParts): HandlersOf<typeof operationsRoutes> {
  return {
    'GET /console/administration/overview': () => operations.overview(),
    'GET /console/administration/history': ({ query }) => operations.history(query.span),
  };
}
