import { mintId } from '#vocabulary/ids';
import type { Person, PersonRole } from '#vocabulary/stores';

/** Somebody who begins to exist now. */
export function newPerson(
  who: {
    readonly email: string;
    readonly name: string;
    readonly role: PersonRole;
    readonly managedBy?: string;
  },
  now: number,
): Person & { readonly state: 'active' } {
  return {
    id: mintId('person'),
    email: who.email.trim(),
    name: who.name,
    role: who.role,
    state: 'active',
    managedBy: who.managedBy,
    createdAt: now,
    lastSeenAt: undefined,
  };
}
