import type { InvitationRecord } from '#vocabulary/account-stores';
import type { Actor } from '#vocabulary/audit';
import { invitationState, letterOfInvitation } from '#vocabulary/invitation-state';
import { Refusal } from '#vocabulary/refusal';
import { everyone } from '#vocabulary/sharing';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts, EngineHealthReport } from '../console-parts.ts';
import type { administrationRoutes, Invitation } from '#contract/administration';
import { actorOf } from '../actor-of.ts';
import { listSettings } from '../list-settings.ts';
import { createPersonRecords } from '../person-records.ts';

const defaultPage = 50;
const dayMs = 86_400_000;

export function createAdministrationHandlers(parts: ConsoleParts): HandlersOf<typeof administrationRoutes> {
  const { desks, people, projectDesk, clock } = parts;
  const records = createPersonRecords(parts);

  return {
    'GET /console/administration/people': async ({ query }) => {
      const limit = query.limit ?? defaultPage;
      const { q: search, state, role, cursor: afterEmail } = query;
      const found = await people.list({ search, state, role, limit: limit + 1, afterEmail });
      const page = found.slice(0, limit);
      return {
        people: await records.viewAll(page),
        nextCursor: found.length > limit ? (page.at(-1)?.email ?? null) : null,
      };
    },

    'PATCH /console/administration/people/:personId': async ({ session, device, parameters, body }) => {
      if (parameters.personId === session.person.id) {
        throw new Refusal('conflict', 'You cannot change your own access. Ask another administrator.');
      }
      const person = await desks.people.change(parameters.personId, body, actorOf(session, device));
      return records.view(person ?? (await records.find(parameters.personId)));
    },

    'POST /console/administration/people/:personId/sign-out': async ({ session, device, parameters }) => {
      await desks.sessions.endAll((await records.find(parameters.personId)).id, actorOf(session, device));
      return { done: true };
    },

    'POST /console/administration/people/:personId/sign-in-link': async ({ session, device, parameters }) =>
      desks.signIn.createOneTimeLink((await records.find(parameters.personId)).id, actorOf(session, device)),

    'GET /console/administration/invitations': async () => {
      const invitations = await desks.invitations.list();
      return { invitations: await Promise.all(invitations.map(viewInvitation)) };
    },

    'POST /console/administration/invitations': async ({ session, device, body }) => {
      const { invitation, url } = await desks.invitations.create({
        email: body.email ?? undefined,
        role: body.role,
        invitedBy: session.person.id,
        invitedByName: session.person.name,
        projects: checkProjects(body.projects, actorOf(session, device)),
        lifetimeMs: body.expiresInDays * dayMs,
        by: actorOf(session, device),
      });
      return { invitation: await viewInvitation(invitation), url };
    },

    'POST /console/administration/invitations/many': async ({ session, device, body }) => {
      const by = actorOf(session, device);
      const projects = checkProjects(body.projects, by);
      const invited: { email: string; url: string }[] = [];
      const known: { email: string }[] = [];
      let areSent = false;
      for (const email of new Set(body.emails.map((each) => each.toLowerCase()))) {
        const person = await people.findByEmail(email);
        if (person === undefined) {
          const { id: invitedBy, name: invitedByName } = session.person;
          const wishes = { email, role: body.role, invitedBy, invitedByName, projects, by };
          const lifetimeMs = body.expiresInDays * dayMs;
          const { url, letter } = await desks.invitations.create({ ...wishes, lifetimeMs });
          areSent ||= letter !== undefined;
          invited.push({ email, url });
        } else {
          await projectDesk.joinProjects(person.id, projects, by);
          known.push({ email: person.email });
        }
      }
      return { areSent, invited, known };
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

  /** Everybody is in `everyone` without being invited to it. */
  function checkProjects(ids: readonly string[] = [], by: Actor): readonly string[] {
    for (const id of ids) projectDesk.find({ by, isAdministrator: true }, id);
    return [...new Set(ids)].filter((id) => id !== everyone);
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
      state: invitationState(record, clock.wallMs()),
      letter: letterOfInvitation(record, clock.wallMs()),
      projects: record.projects.map((projectId) => ({
        id: projectId,
        name: projectDesk.describe(projectId, '').name,
      })),
    };
  }
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
