import type { personAdministrationRoutes } from '#contract/person-administration';
import { Refusal } from '#vocabulary/refusal';
import type { Person } from '#vocabulary/stores';
import { actorOf } from '../actor-of.ts';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { createKeyCabinet } from '../key-cabinet.ts';
import { createPersonRecords } from '../person-records.ts';
import { writeArchive } from '../write-archive.ts';
import { writeAccount } from '../write-account.ts';
import { viewStanding } from './project-handlers.ts';

const defaultPage = 100;

/** What administrators do with one person and with anybody's keys. */
export function createPersonAdministrationHandlers(
  parts: ConsoleParts,
): HandlersOf<typeof personAdministrationRoutes> {
  const { desks, keyDesk, keys, conversations, audit, clock, projectDesk } = parts;
  const records = createPersonRecords(parts);
  const cabinet = createKeyCabinet(parts);

  return {
    'GET /console/administration/people/:personId': async ({ parameters }) =>
      records.view(await records.find(parameters.personId)),

    'GET /console/administration/people/:personId/standing': async ({ parameters }) => {
      const { id } = await records.find(parameters.personId);
      return { standing: (await projectDesk.standing(id)).map(viewStanding) };
    },

    'DELETE /console/administration/people/:personId': async ({ session, device, parameters }) => {
      const person = await records.find(parameters.personId);
      if (person.id === session.person.id)
        throw new Refusal('conflict', 'You cannot remove yourself. Ask another administrator.');
      requireDisabled(person);
      await conversations.erase(person.id);
      await desks.people.remove(person.id, actorOf(session, device));
      return { done: true };
    },

    'GET /console/administration/people/:personId/export': async ({ session, device, parameters, query }) => {
      const person = await records.find(parameters.personId);
      if (query.part === 'chats') requireDisabled(person);
      const detail = { part: query.part };
      await audit.note({
        kind: 'person-exported',
        by: actorOf(session, device),
        personId: person.id,
        detail,
      });
      const now = clock.wallMs();
      return {
        fileName: `${query.part}-${person.email}-${new Date(now).toISOString().slice(0, 10)}.json`,
        contentType: 'application/json',
        content:
          query.part === 'chats'
            ? writeArchive(conversations.archive.exportAll(person.id), now)
            : await writeAccount(parts, person),
      };
    },

    'GET /console/administration/people/:personId/keys': async ({ parameters }) => {
      const { id: personId } = await records.find(parameters.personId);
      return { keys: (await keyDesk.list({ personId })).map(cabinet.view) };
    },

    'DELETE /console/administration/people/:personId/keys': async ({ session, device, parameters }) => {
      const { id: personId } = await records.find(parameters.personId);
      const usable = (await keyDesk.list({ personId })).filter(cabinet.isUsable);
      for (const { id } of usable) await keyDesk.revoke({ personId }, id, actorOf(session, device));
      return { revoked: usable.length };
    },

    'DELETE /console/administration/people/:personId/keys/:keyId': async ({
      session,
      device,
      parameters,
    }) => {
      await keyDesk.revoke({ personId: parameters.personId }, parameters.keyId, actorOf(session, device));
      return { done: true };
    },

    'GET /console/administration/keys': async ({ session, device, query }) => {
      const { q: search, projectId, state, cursor: skip = 0, limit = defaultPage } = query;
      const wanted = { search, projectId, state, now: clock.wallMs(), skip, limit };
      const { keys: found, total } = await keys.search(wanted);
      const asker = { by: actorOf(session, device), isAdministrator: true };
      return {
        keys: found.map((key) => cabinet.viewRecord(key, asker)),
        total,
        nextCursor: skip + limit < total ? skip + limit : null,
      };
    },

    'POST /console/administration/keys/revoke': async ({ session, device, body }) => {
      const usable = (await keys.findAll(body.keyIds)).filter(cabinet.isUsable);
      for (const { id } of usable) await keyDesk.revoke('anybody', id, actorOf(session, device));
      return { revoked: usable.length, at: clock.wallMs() };
    },
  };
}

function requireDisabled({ state }: Person): void {
  if (state !== 'disabled')
    throw new Refusal('conflict', 'Disable the account first: then nothing of it runs any more.');
}
