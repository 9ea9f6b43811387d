import type { presetRoutes } from '#contract/presets';
import { actorOf } from '../actor-of.ts';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';

export function createPresetHandlers({ presets }: ConsoleParts): HandlersOf<typeof presetRoutes> {
  const service = { scope: 'service' } as const;
  const own = (personId: string) => ({ scope: 'person', personId }) as const;

  return {
    'GET /console/presets': async ({ session }) => ({ presets: await presets.listFor(session.person.id) }),

    'POST /console/presets': ({ session, device, body }) =>
      presets.create(own(session.person.id), body, actorOf(session, device)),

    'PUT /console/presets/:presetId': ({ session, device, parameters, body }) =>
      presets.change(own(session.person.id), parameters.presetId, body, actorOf(session, device)),

    'DELETE /console/presets/:presetId': async ({ session, device, parameters }) => {
      await presets.remove(own(session.person.id), parameters.presetId, actorOf(session, device));
      return { done: true };
    },

    'POST /console/administration/presets': ({ session, device, body }) =>
      presets.create(service, body, actorOf(session, device)),

    'PUT /console/administration/presets/:presetId': ({ session, device, parameters, body }) =>
      presets.change(service, parameters.presetId, body, actorOf(session, device)),

    'DELETE /console/administration/presets/:presetId': async ({ session, device, parameters }) => {
      await presets.remove(service, parameters.presetId, actorOf(session, device));
      return { done: true };
    },
  };
}
