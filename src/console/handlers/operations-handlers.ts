import type { operationsRoutes } from '#contract/operations';
import { actorOf } from '../actor-of.ts';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';

export function createOperationsHandlers({ operations }: ConsoleParts): HandlersOf<typeof operationsRoutes> {
  return {
    'GET /console/administration/overview': () => operations.overview(),
    'GET /console/administration/history': ({ query }) => operations.history(query.span),
    'GET /console/administration/usage/drift': async () => ({ engines: await operations.drift() }),
    'POST /console/administration/engines/:engineName/test': ({ session, device, parameters, body }) =>
      operations.testEngine(parameters.engineName, body.modelId, actorOf(session, device)),
  };
}
