import type { InvitationRecord } from '#vocabulary/account-stores';
import { Refusal } from '#vocabulary/refusal';
import type { KeyDescription, Person } from '#vocabulary/stores';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts, EngineHealthReport } from '../console-parts.ts';
import type { administrationRoutes, Invitation } from '#contract/administration';
import { actorOf } from '../actor-of.ts';
import { listSettings } from '../list-settings.ts';
import { viewKey, viewPersonRecord } from '../views.ts';

const defaultPage = 50;
const dayMs = 86_400_000;

export function createAdministrationHandlers(parts: ConsoleParts): HandlersOf<typeof administrationRoutes> {
  const { desks, keyDesk, people, clock } = parts;

  return {
    'GET /console/administration/people': async ({ query }) => {
      const limit = query.limit ?? defaultPage;
      const found = await people.list({ search: query.q, limit: limit + 1, afterEmail: query.cursor });
      const page = found.slice(0, limit);
      return {
        people: await Promise.all(page.map(viewPerson)),
        nextCursor: found.length > limit ? (page.at(-1)?.email ?? null) : null,
      };
    },

    'PATCH /console/administration/people/:personId': async ({ session, device, parameters, body }) => {
      if (parameters.personId === session.person.id) {
        throw new Refusal('conflict', 'You cannot change your own access. Ask another administrator.');
      }
      const person = await desks.people.change(parameters.personId, body, actorOf(session, device));
      if (person === undefined) throw noSuchPerson();
      return viewPerson(person);
    },

    'GET /console/administration/people/:personId/keys': async ({ parameters }) => {
      const { id: personId } = await findPerson(parameters.personId);
      const keys = await keyDesk.list({ personId });
      return { keys: keys.map((key) => viewKey(key, projectOf(key), clock.wallMs())) };
    },

    'DELETE /console/administration/people/:personId/keys/:keyId': async ({
      session,
      device,
      parameters,
    }) => {
      await keyDesk.revoke({ personId: parameters.personId }, parameters.keyId, actorOf(session, device));
      return { done: true };
    },

    'POST /console/administration/people/:personId/sign-out': async ({ session, device, parameters }) => {
      await desks.sessions.endAll((await findPerson(parameters.personId)).id, actorOf(session, device));
      return { done: true };
    },

    'POST /console/administration/people/:personId/sign-in-link': async ({ session, device, parameters }) =>
      desks.signIn.createOneTimeLink((await findPerson(parameters.personId)).id, actorOf(session, device)),

    'GET /console/administration/invitations': async () => {
      const invitations = await desks.invitations.list();
      return { invitations: await Promise.all(invitations.map(viewInvitation)) };
    },

    'POST /console/administration/invitations': async ({ session, device, body }) => {
      const { invitation, url } = await desks.invitations.create({
        email: body.email ?? undefined,
        role: body.role,
        invitedBy: session.person.id,
        lifetimeMs: body.expiresInDays * dayMs,
        by: actorOf(session, device),
      });
      return { invitation: await viewInvitation(invitation), url };
    },

    'DELETE /console/administration/invitations/:invitationId': async ({ session, device, parameters }) => {
      if (await desks.invitations.revoke(parameters.invitationId, actorOf(session, device)))
        return { done: true };
      throw new Refusal('not_found', 'There is no such open invitation.');
    },

    'GET /console/administration/engines': async () => {
      const reports = new Map(parts.engineHealth().map((report) => [report.engineName, report]));
      const { engines, models } = parts.catalogue();
      return {
        engines: engines.map(({ name, kind, url, socketPath, maxConcurrent }) => ({
          name,
          kind,
          address: kind === 'embedded' ? 'inside this program' : (socketPath ?? withoutCredentials(url)),
          health: healthOf(reports.get(name)?.state),
          healthNote: reports.get(name)?.reason ?? '',
          maxConcurrent,
          models: models
            .filter((model) => model.replicas.some((replica) => replica.engineName === name))
            .map(({ id }) => id),
        })),
      };
    },

    'GET /console/administration/settings': async () => ({ settings: listSettings(parts.settings()) }),
  };

  function projectOf({ projectId, personId }: KeyDescription) {
    return parts.projectDesk.describe(projectId, personId);
  }

  async function viewPerson(person: Person) {
    return viewPersonRecord(person, await parts.keys.countUsable(person.id, clock.wallMs()));
  }

  async function findPerson(personId: string): Promise<Person> {
    const person = await people.find(personId);
    if (person === undefined) throw noSuchPerson();
    return person;
  }

  async function viewInvitation(record: InvitationRecord): Promise<Invitation> {
    const { id, email, role, invitedBy, createdAt, expiresAt } = record;
    const inviter = await people.find(invitedBy);
    return {
      id,
      email: email ?? null,
      role,
      invitedBy: inviter?.name ?? 'Operator',
      createdAt,
      expiresAt,
      state: stateOf(record, clock.wallMs()),
    };
  }
}

function stateOf({ acceptedAt, revokedAt, expiresAt }: InvitationRecord, now: number): Invitation['state'] {
  if (acceptedAt !== undefined) return 'accepted';
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt <= now ? 'expired' : 'open';
}

function healthOf(state: EngineHealthReport['state'] | undefined) {
  if (state === 'healthy') return 'healthy';
  return state === 'ejected' ? 'down' : 'starting';
}

function withoutCredentials(url: string): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

function noSuchPerson(): Refusal {
  return new Refusal('not_found', 'There is no such person.');
}
