import type { catalogueRoutes } from '#contract/catalogue';
import { actorOf } from '../actor-of.ts';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';

const done = { done: true } as const;

export function createCatalogueHandlers({
  catalogueDesk,
  tryEntry,
}: ConsoleParts): HandlersOf<typeof catalogueRoutes> {
  return {
    'GET /console/administration/catalogue': async () => {
      const { engines, models } = catalogueDesk.list();
      return { engines: [...engines], models: [...models] };
    },

    'POST /console/administration/catalogue': async ({ session, device, body }) => {
      await catalogueDesk.add(body.list, body.entry, actorOf(session, device));
      return done;
    },

    'PUT /console/administration/catalogue': async ({ session, device, body }) => {
      await catalogueDesk.change(body.list, body.name, body.entry, actorOf(session, device));
      return done;
    },

    'POST /console/administration/catalogue/try': ({ session, device, body }) =>
      tryEntry(body, actorOf(session, device)),

    'DELETE /console/administration/catalogue': async ({ session, device, query }) => {
      await catalogueDesk.remove(query.list, query.name, actorOf(session, device));
      return done;
    },
  };
}
