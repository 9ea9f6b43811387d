import type { AuditTrail } from '#vocabulary/audit';
import type { PeopleDesk } from '#vocabulary/person-desks';
import type { Clock } from '#vocabulary/clock';
import { Refusal } from '#vocabulary/refusal';
import type { PeopleStore, PersonChange } from '#vocabulary/stores';
import { newPerson } from './new-person.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { OpeningSessionDesk } from './session-desk.ts';

export function createPeopleDesk(needs: {
  readonly people: PeopleStore;
  readonly sessions: OpeningSessionDesk;
  readonly hasher: PasswordHasher;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  /** Called after every change. */
  readonly accessChanged: () => Promise<void>;
}): PeopleDesk {
  const { people, sessions, hasher, audit, clock, accessChanged } = needs;

  return {
    async create({ email, name, role, password }, by) {
      const person = newPerson({ email, name, role }, clock.wallMs());
      const passwordHash = password === undefined ? undefined : await hasher.hash(password);
      await people.insert({ ...person, passwordHash });
      await audit.note({ kind: 'person-created', by, personId: person.id, detail: { email, role } });
      return person;
    },

    async change(personId, { state, role }, by) {
      const before = await people.find(personId);
      if (before === undefined) return undefined;
      const change: PersonChange = { ...(state && { state }), ...(role && { role }) };
      // Those from before are over; first, so that none of them is good for a moment.
      if (state === 'active' && before.state === 'disabled') await sessions.clear(personId);
      await people.update(personId, change);
      if (state === 'disabled') await sessions.suspend(personId);
      await accessChanged();
      if (role !== undefined && role !== before.role) {
        await audit.note({ kind: 'role-changed', by, personId, detail: { from: before.role, to: role } });
      }
      if (state !== undefined && state !== before.state) {
        const kind = state === 'disabled' ? 'person-disabled' : 'person-enabled';
        await audit.note({ kind, by, personId });
      }
      return people.find(personId);
    },

    async remove(personId, by) {
      const person = await people.find(personId);
      if (person === undefined) return false;
      if (person.state !== 'disabled')
        throw new Refusal('conflict', 'Disable the account first: then nothing of it runs any more.');
      await sessions.clear(personId);
      await people.remove(personId);
      await accessChanged();
      const { email, name, role } = person;
      await audit.note({ kind: 'person-removed', by, personId, detail: { email, name, role } });
      return true;
    },
  };
}
