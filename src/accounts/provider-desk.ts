import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { SessionStore } from '#vocabulary/account-stores';
import { type ProviderDesk, SignInProblem } from '#vocabulary/person-desks';
import type { Clock } from '#vocabulary/clock';
import { mintId } from '#vocabulary/ids';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import type { PeopleStore, Person } from '#vocabulary/stores';
import { type ClaimedPerson, type ProviderDefinition, readClaims } from './provider-claims.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';
import type { TransactionSeal } from './sealed-transaction.ts';
import type { OpeningSessionDesk } from './session-desk.ts';

const transactionLifetimeMs = 15 * 60_000;

export function createProviderDesk(needs: {
  readonly providers: readonly ProviderDefinition[];
  readonly people: PeopleStore;
  readonly sessions: OpeningSessionDesk;
  readonly sessionStore: SessionStore;
  readonly seal: TransactionSeal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly publicUrl: () => string;
}): ProviderDesk {
  const { people, sessions, seal, clock, logger } = needs;
  const desks = new Map<string, { provider: ProviderDefinition; client: ProviderClient }>();
  for (const provider of needs.providers) {
    desks.set(provider.name, {
      provider,
      client: createProviderClient({ provider, clock, publicUrl: needs.publicUrl }),
    });
  }

  return {
    async begin(providerId, { returnTo, previousToken, asksAnew }) {
      const desk = desks.get(providerId);
      if (desk === undefined) return undefined;
      const transaction = {
        providerId,
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
        returnTo: ownPath(returnTo),
        previousToken,
        expiresAt: clock.wallMs() + transactionLifetimeMs,
      };
      const url = await desk.client.authorizationUrl(transaction, asksAnew);
      return { url, transaction: seal.seal(transaction) };
    },

    async finish(providerId, callbackQuery, sealed, device) {
      const desk = desks.get(providerId);
      const transaction = sealed === undefined ? undefined : seal.open(sealed);
      if (desk === undefined || transaction === undefined || transaction.providerId !== providerId) {
        throw new SignInProblem('sign_in_expired');
      }
      if (transaction.expiresAt <= clock.wallMs()) throw new SignInProblem('sign_in_expired');
      const proven = await desk.client.exchange(transaction, callbackQuery);
      const claimed = readClaims(desk.provider, proven.subject, proven.claims);
      const person = await admit(desk.provider, claimed);
      if (person.state !== 'active') {
        const code = person.state === 'pending' ? 'account_pending' : 'account_disabled';
        throw new SignInProblem(code, undefined, claimed.email);
      }
      const opening = { method: desk.provider.label, providerId, idToken: proven.idToken };
      const signedIn = await sessions.open(
        person,
        { device, previousToken: transaction.previousToken },
        opening,
      );
      return { ...signedIn, returnTo: transaction.returnTo };
    },

    nameOf(issuer) {
      const provider = needs.providers.find((candidate) => candidate.issuer === issuer);
      return provider?.label ?? URL.parse(issuer)?.host ?? issuer;
    },

    async signOutUrl(sessionId, personId) {
      const record = (await needs.sessionStore.listOf(personId)).find((session) => session.id === sessionId);
      const desk = record?.providerId === undefined ? undefined : desks.get(record.providerId);
      if (desk === undefined) return undefined;
      try {
        return await desk.client.signOutUrl(record?.idToken);
      } catch (cause) {
        // Signing out here must work while the provider does not.
        logger.warn(
          { provider: desk.provider.name, err: cause },
          'the provider could not be asked how to sign out',
        );
        return undefined;
      }
    },
  };

  /** The person behind the claims: known by subject, else by verified address, else new. */
  async function admit(provider: ProviderDefinition, claimed: ClaimedPerson): Promise<Person> {
    const identity = { issuer: provider.issuer, subject: claimed.subject };
    const known = await people.findByIdentity(identity);
    if (known !== undefined) return refresh(known, claimed);

    const namesake = await people.findByEmail(claimed.email);
    if (namesake !== undefined) {
      if (!claimed.isEmailVerified) throw new SignInProblem('email_in_use', undefined, claimed.email);
      await people.linkIdentity(namesake.id, identity, clock.wallMs());
      return refresh(namesake, claimed);
    }
    const person: Person = {
      id: mintId('person'),
      email: claimed.email,
      name: claimed.name,
      role: claimed.role ?? 'person',
      state: 'active',
      createdAt: clock.wallMs(),
      lastSeenAt: undefined,
    };
    await people.insert({ ...person, passwordHash: undefined });
    await people.linkIdentity(person.id, identity, clock.wallMs());
    return person;
  }

  async function refresh(person: Person, claimed: ClaimedPerson): Promise<Person> {
    const role = claimed.role ?? person.role;
    const change = {
      ...(role !== person.role && { role }),
      ...(claimed.name !== person.name && { name: claimed.name }),
    };
    if (Object.keys(change).length > 0) await people.update(person.id, change);
    if (claimed.email.toLowerCase() === person.email.toLowerCase()) return { ...person, ...change };
    try {
      await people.update(person.id, { email: claimed.email });
      return { ...person, ...change, email: claimed.email };
    } catch (cause) {
      // Somebody else has that address here: the old one stays.
      if (cause instanceof Refusal && cause.code === 'conflict') return { ...person, ...change };
      throw cause;
    }
  }
}

/** A path of this service; anything that could lead elsewhere becomes the front page. */
function ownPath(returnTo: string): string {
  return /^\/(?![/\\])[\w\-./~%?&=#]*$/.test(returnTo) ? returnTo : '/';
}
