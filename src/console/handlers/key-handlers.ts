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
        keys: keys.map((key) => viewKey(key, clock.wallMs())),
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
      return { key: viewKey(key, clock.wallMs()), secret };
    },

    'PATCH /console/keys/:keyId': async ({ session, parameters, body }) => {
      const holder = { personId: session.person.id };
      return viewKey(await keyDesk.rename(holder, parameters.keyId, body.name), clock.wallMs());
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
      const now = clock.wallMs();
      return { key: viewKey(key, now), secret, previous: viewKey(previous ?? key, now) };
    },

    'DELETE /console/keys/:keyId': async ({ session, device, parameters }) => {
      await keyDesk.revoke({ personId: session.person.id }, parameters.keyId, actorOf(session, device));
      return { done: true };
    },
  };
}
