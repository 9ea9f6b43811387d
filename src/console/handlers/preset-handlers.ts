import type { presetRoutes } from '#contract/presets';
import { actorOf, askerOf } from '../actor-of.ts';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';

export function createPresetHandlers({
  presets,
  projectDesk,
  conversations,
}: ConsoleParts): HandlersOf<typeof presetRoutes> {
  const { spaces } = conversations;
  const service = { scope: 'service' } as const;
  const own = (personId: string) => ({ scope: 'person', personId }) as const;
  const ofSpace = (projectId: string) => ({ scope: 'project', projectId }) as const;

  return {
    'GET /console/presets': async ({ session: { person } }) => {
      const projectIds = projectDesk.membershipsOf(person.id).map(({ projectId }) => projectId);
      return { presets: await presets.listFor(person.id, projectIds) };
    },

    'POST /console/presets': ({ session, device, body }) =>
      presets.create(own(session.person.id), body, actorOf(session, device)),

    'PUT /console/presets/:presetId': ({ session, device, parameters, body }) =>
      presets.change(own(session.person.id), parameters.presetId, body, actorOf(session, device)),

    'DELETE /console/presets/:presetId': async ({ session, device, parameters }) => {
      await presets.remove(own(session.person.id), parameters.presetId, actorOf(session, device));
      return { done: true };
    },

    'GET /console/spaces/:projectId/presets': async ({ session, device, parameters: { projectId } }) => {
      spaces.requireReader(askerOf(session, device), projectId);
      return { presets: await presets.list(ofSpace(projectId)) };
    },

    'POST /console/spaces/:projectId/presets': async ({ session, device, parameters, body }) => {
      const { projectId } = parameters;
      const asker = askerOf(session, device);
      spaces.requireKeeper(asker, projectId);
      const preset = await presets.create(ofSpace(projectId), body, asker.by);
      spaces.tellMembers(projectId);
      return preset;
    },

    'PUT /console/spaces/:projectId/presets/:presetId': async ({ session, device, parameters, body }) => {
      const { projectId, presetId } = parameters;
      const asker = askerOf(session, device);
      spaces.requireKeeper(asker, projectId);
      const preset = await presets.change(ofSpace(projectId), presetId, body, asker.by);
      spaces.tellMembers(projectId);
      return preset;
    },

    'DELETE /console/spaces/:projectId/presets/:presetId': async ({ session, device, parameters }) => {
      const { projectId, presetId } = parameters;
      const asker = askerOf(session, device);
      spaces.requireKeeper(asker, projectId);
      await presets.remove(ofSpace(projectId), presetId, asker.by);
      spaces.tellMembers(projectId);
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
