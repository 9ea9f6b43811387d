import type { PeopleDesk } from '#vocabulary/person-desks';
import type { Clock } from '#vocabulary/clock';
import type { PeopleStore, PersonChange } from '#vocabulary/stores';
import { newPerson } from './new-person.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { OpeningSessionDesk } from './session-desk.ts';

export function createPeopleDesk(needs: {
  readonly people: PeopleStore;
  readonly sessions: OpeningSessionDesk;
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  /** Called after every change. */
  readonly accessChanged: () => Promise<void>;
}): PeopleDesk {
  const { people, sessions, hasher, clock, accessChanged } = needs;

  return {
    async create({ email, name, role, password }) {
      const person = newPerson({ email, name, role }, clock.wallMs());
      const passwordHash = password === undefined ? undefined : await hasher.hash(password);
      await people.insert({ ...person, passwordHash });
      return person;
    },

    async change(personId, { state, role }) {
      const change: PersonChange = { ...(state && { state }), ...(role && { role }) };
      if (Object.keys(change).length > 0 && !(await people.update(personId, change))) return undefined;
      if (state === 'disabled') await sessions.endAll(personId);
      await accessChanged();
      return people.find(personId);
    },
  };
}
