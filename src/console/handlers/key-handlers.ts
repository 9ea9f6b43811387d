import type { KeyDescription } from '#vocabulary/stores';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { keyRoutes } from '#contract/keys';
import { actorOf } from '../actor-of.ts';
import { viewKey } from '../views.ts';

const dayMs = 86_400_000;

export function createKeyHandlers({
  keyDesk,
  projectDesk,
  keyPolicy,
  clock,
}: ConsoleParts): HandlersOf<typeof keyRoutes> {
  return {
    'GET /console/keys': async ({ session }) => {
      const keys = await keyDesk.list({ personId: session.person.id });
      const { maxKeysPerPerson, maxLifetimeMs } = keyPolicy;
      return {
        keys: keys.map(view),
        limits: {
          maxKeys: maxKeysPerPerson ?? Number.MAX_SAFE_INTEGER,
          maxLifetimeDays: maxLifetimeMs === undefined ? null : Math.floor(maxLifetimeMs / dayMs),
        },
      };
    },

    'POST /console/keys': async ({ session, device, body }) => {
      if (body.projectId !== undefined) projectDesk.requireUsable(body.projectId, session.person.id);
      const { key, secret } = await keyDesk.issue(
        session.person.id,
        {
          name: body.name,
          expiresAt: body.expiresAt ?? undefined,
          models: body.models ?? [],
          networks: body.networks ?? [],
          projectId: body.projectId,
          lane: body.isBackground ? 'background' : 'interactive',
        },
        actorOf(session, device),
      );
      return { key: view(key), secret };
    },

    'PATCH /console/keys/:keyId': async ({ session, parameters, body }) => {
      const holder = { personId: session.person.id };
      return view(await keyDesk.rename(holder, parameters.keyId, body.name));
    },

    'POST /console/keys/:keyId/rotate': async ({ session, device, parameters, body }) => {
      const holder = { personId: session.person.id };
      const { key, secret } = await keyDesk.rotate(
        holder,
        parameters.keyId,
        body.overlapHours * 3_600_000,
        actorOf(session, device),
      );
      const previous = (await keyDesk.list(holder)).find((candidate) => candidate.id === parameters.keyId);
      return { key: view(key), secret, previous: view(previous ?? key) };
    },

    'DELETE /console/keys/:keyId': async ({ session, device, parameters }) => {
      await keyDesk.revoke({ personId: session.person.id }, parameters.keyId, actorOf(session, device));
      return { done: true };
    },
  };

  function view(key: KeyDescription) {
    return viewKey(key, projectDesk.describe(key.projectId, key.personId), clock.wallMs());
  }
}
