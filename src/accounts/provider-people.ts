import type { IdentityStore, SessionStore } from '#vocabulary/account-stores';
import type { Actor, AuditTrail } from '#vocabulary/audit';
import type { Clock } from '#vocabulary/clock';
import { SignInProblem } from '#vocabulary/person-desks';
import { Refusal } from '#vocabulary/refusal';
import type { PeopleStore, Person } from '#vocabulary/stores';
import { newPerson } from './new-person.ts';
import type { ClaimedPerson, ProviderDefinition } from './provider-claims.ts';
import type { OpeningSessionDesk } from './session-desk.ts';

/**
 * Who stands behind what a provider says. People are known by issuer and subject alone: an address, verified or not,
 * joins nothing. Whoever made an account decides about it: the provider about those that it brought, nobody but us
 * about those that were made here and have a provider connected.
 */
export interface ProviderPeople {
  /** Gives the person, made anew if need be. Throws SignInProblem. */
  enter(
    provider: ProviderDefinition,
    claimed: ClaimedPerson,
    refreshToken: string | undefined,
  ): Promise<Person>;
  /** Adds the identity to an account whose owner has just shown that it is theirs. Throws SignInProblem. */
  connect(provider: ProviderDefinition, claimed: ClaimedPerson, personId: string): Promise<void>;
  /** The same look as at a sign-in, without one. */
  confirm(
    provider: ProviderDefinition,
    claimed: ClaimedPerson,
    personId: string,
    refreshToken: string | undefined,
  ): Promise<void>;
  /** The provider does not vouch for this person any more: what it vouched for ends. */
  withdraw(personId: string, provider: Pick<ProviderDefinition, 'issuer' | 'name'>): Promise<void>;
}

/** Lets memberships follow the groups in which the provider sees one of its people. */
export type FollowGroups = (personId: string, groups: ReadonlySet<string>, by: Actor) => Promise<void>;

export function createProviderPeople(needs: {
  readonly people: PeopleStore;
  readonly identities: IdentityStore;
  readonly sessions: OpeningSessionDesk;
  readonly sessionStore: SessionStore;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly followGroups: FollowGroups;
  /** Called after every change of what somebody may do. */
  readonly accessChanged: () => Promise<void>;
}): ProviderPeople {
  const { people, identities, sessions, audit, clock } = needs;

  return {
    async enter(provider, claimed, refreshToken) {
      const identity = { issuer: provider.issuer, subject: claimed.subject };
      const known = await identities.find(identity);
      if (!claimed.isPermitted) {
        if (known !== undefined) await withdraw(known.personId, provider);
        throw new SignInProblem('not_permitted', undefined, claimed.account);
      }
      const personId = known?.personId ?? (await create(provider, claimed)).id;
      return confirm(provider, claimed, personId, refreshToken);
    },

    async connect(provider, claimed, personId) {
      const identity = { issuer: provider.issuer, subject: claimed.subject };
      if (!claimed.isPermitted) throw new SignInProblem('not_permitted', undefined, claimed.account);
      const known = await identities.find(identity);
      if (known?.personId === personId) return;
      if (known !== undefined) throw new SignInProblem('identity_in_use', undefined, claimed.account);
      await identities.link(personId, identity, clock.wallMs());
    },

    async confirm(provider, claimed, personId, refreshToken) {
      if (claimed.isPermitted) await confirm(provider, claimed, personId, refreshToken);
      else await withdraw(personId, provider);
    },

    withdraw,
  };

  async function create(provider: ProviderDefinition, claimed: ClaimedPerson): Promise<Person> {
    const { issuer } = provider;
    const person = newPerson(
      { email: '', name: claimed.name, role: claimed.role ?? 'person', managedBy: issuer },
      clock.wallMs(),
    );
    const email = claimed.verifiedEmail ?? placeholderEmail(person, provider);
    try {
      const newcomer = { ...person, email, passwordHash: undefined };
      await people.insertManaged(newcomer, { issuer, subject: claimed.subject });
    } catch (cause) {
      if (!isConflict(cause)) throw cause;
      throw new SignInProblem('email_in_use', undefined, claimed.account);
    }
    const by = { kind: 'provider', issuer } as const;
    const { id: personId, role } = person;
    await audit.note({ kind: 'person-created', by, personId, detail: { email, role } });
    return { ...person, email };
  }

  async function confirm(
    provider: ProviderDefinition,
    claimed: ClaimedPerson,
    personId: string,
    refreshToken: string | undefined,
  ): Promise<Person> {
    const now = clock.wallMs();
    const { issuer, name } = provider;
    await identities.noteChecked({ issuer, subject: claimed.subject }, now, refreshToken);
    await needs.sessionStore.noteChecked(personId, [name], now);
    const person = await people.find(personId);
    if (person === undefined) throw new SignInProblem('not_permitted', undefined, claimed.account);
    if (person.managedBy !== issuer) return person;
    await follow(person, claimed, issuer);
    await needs.followGroups(person.id, claimed.groups, { kind: 'provider', issuer });
    return (await people.find(personId)) ?? person;
  }

  /** The provider's word on one of its own: what they are called, and what they may. */
  async function follow(person: Person, claimed: ClaimedPerson, issuer: string): Promise<void> {
    const { role = person.role, name, verifiedEmail } = claimed;
    const change = {
      ...(role !== person.role && { role }),
      ...(name !== person.name && { name }),
      ...(person.state === 'withdrawn' && { withdrawnAt: null }),
    };
    if (Object.keys(change).length > 0) {
      await people.update(person.id, change);
      await needs.accessChanged();
    }
    const event = { by: { kind: 'provider', issuer }, personId: person.id } as const;
    if (person.state === 'withdrawn') await audit.note({ ...event, kind: 'person-restored' });
    if (role !== person.role) {
      await audit.note({ ...event, kind: 'role-changed', detail: { from: person.role, to: role } });
    }
    if (verifiedEmail === undefined || verifiedEmail === person.email) return;
    try {
      await people.update(person.id, { email: verifiedEmail });
    } catch (cause) {
      // Somebody else has that address here: the old one stays.
      if (!isConflict(cause)) throw cause;
    }
  }

  async function withdraw(
    personId: string,
    provider: Pick<ProviderDefinition, 'issuer' | 'name'>,
  ): Promise<void> {
    const person = await people.find(personId);
    if (person === undefined) return;
    if (person.managedBy !== provider.issuer) {
      await sessions.endThrough(personId, provider.name);
      return;
    }
    if (person.state === 'withdrawn') return;
    await people.update(personId, { withdrawnAt: clock.wallMs() });
    await sessions.clear(personId);
    await needs.accessChanged();
    const by = { kind: 'provider', issuer: provider.issuer } as const;
    await audit.note({ kind: 'person-withdrawn', by, personId });
  }
}

/**
 * For people without an address that somebody has checked. `.invalid` belongs to nobody (RFC 2606), so this can
 * never be the address of somebody else.
 */
function placeholderEmail({ id, name }: Person, provider: ProviderDefinition): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  return `${readable === '' ? 'person' : readable}.${id.slice(-8)}@${provider.name}.invalid`;
}

function isConflict(cause: unknown): boolean {
  return cause instanceof Refusal && cause.code === 'conflict';
}
