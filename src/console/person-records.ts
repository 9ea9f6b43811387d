import type { PersonRecord } from '#contract/administration';
import { Refusal } from '#vocabulary/refusal';
import type { Holdings, Person } from '#vocabulary/stores';
import type { ConsoleParts } from './console-parts.ts';

/** People as administrators see them. */
export function createPersonRecords(parts: ConsoleParts) {
  const { people, projectDesk, conversations, desks, clock } = parts;
  return { find, view, viewAll };

  async function find(personId: string): Promise<Person> {
    const person = await people.find(personId);
    if (person === undefined) throw new Refusal('not_found', 'There is no such person.');
    return person;
  }

  async function view(person: Person): Promise<PersonRecord> {
    return record(person, await holdingsOf([person]));
  }

  /** What they have is asked for in one question. */
  async function viewAll(page: readonly Person[]): Promise<PersonRecord[]> {
    const holdings = await holdingsOf(page);
    return page.map((person) => record(person, holdings));
  }

  function holdingsOf(page: readonly Person[]): Promise<ReadonlyMap<string, Holdings>> {
    return people.readHoldings(
      page.map(({ id }) => id),
      clock.wallMs(),
    );
  }

  function record(person: Person, holdings: ReadonlyMap<string, Holdings>): PersonRecord {
    const { id, name, email, role, state, createdAt, lastSeenAt, managedBy } = person;
    const { usableKeys = 0, storedBytes = 0 } = holdings.get(id) ?? {};
    return {
      id,
      name,
      email,
      role,
      state,
      createdAt,
      lastSeenAt: lastSeenAt ?? null,
      activeKeys: usableKeys,
      provider: managedBy === undefined ? null : desks.providers.describe(managedBy).name,
      projects: projectDesk
        .membershipsOf(id)
        .map(({ projectId, name, role, isByGroup }) => ({ id: projectId, name, role, isByGroup })),
      storage: { usedBytes: storedBytes, limitBytes: conversations.storageLimitBytes },
    };
  }
}
