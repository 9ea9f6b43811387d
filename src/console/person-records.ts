import type { PersonRecord } from '#contract/administration';
import { Refusal } from '#vocabulary/refusal';
import type { Person } from '#vocabulary/stores';
import type { ConsoleParts } from './console-parts.ts';

/** People as administrators see them. */
export function createPersonRecords(parts: ConsoleParts) {
  const { people, keys, projectDesk, conversations, desks, clock } = parts;
  return {
    async find(personId: string): Promise<Person> {
      const person = await people.find(personId);
      if (person === undefined) throw new Refusal('not_found', 'There is no such person.');
      return person;
    },

    async view(person: Person): Promise<PersonRecord> {
      const { id, name, email, role, state, createdAt, lastSeenAt, managedBy } = person;
      return {
        id,
        name,
        email,
        role,
        state,
        createdAt,
        lastSeenAt: lastSeenAt ?? null,
        activeKeys: await keys.countUsable(id, clock.wallMs()),
        provider: managedBy === undefined ? null : desks.providers.describe(managedBy).name,
        projects: projectDesk
          .membershipsOf(id)
          .map(({ projectId, name, role, isByGroup }) => ({ id: projectId, name, role, isByGroup })),
        storage: await conversations.storageOf(id),
      };
    },
  };
}
