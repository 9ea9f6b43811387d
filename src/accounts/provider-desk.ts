import type { IdentityStore, SessionStore } from '#vocabulary/account-stores';
import type { AuditTrail } from '#vocabulary/audit';
import { type Device, type ProviderDesk, type SignedIn, SignInProblem } from '#vocabulary/person-desks';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import type { PeopleStore } from '#vocabulary/stores';
import { type ProviderDefinition, readClaims } from './provider-claims.ts';
import { createProviderClient } from './provider-client.ts';
import { createProviderPeople, type FollowGroups } from './provider-people.ts';
import { createProviderRecheck, type ProviderCounter, type RecheckPlan } from './provider-recheck.ts';
import { newTransaction, type Transaction } from './provider-transaction.ts';
import { createSealedBox, keyFromSecret } from './sealed-box.ts';
import type { OpeningSessionDesk } from './session-desk.ts';

export function createProviderDesk(needs: {
  readonly providers: readonly ProviderDefinition[];
  readonly people: PeopleStore;
  readonly identities: IdentityStore;
  readonly sessions: OpeningSessionDesk;
  readonly sessionStore: SessionStore;
  readonly recheck: RecheckPlan;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly publicUrl: () => string;
  /** Whoever begins to sign in at one gateway may come back to another. */
  readonly secret: string;
  readonly followGroups: FollowGroups;
  readonly accessChanged: () => Promise<void>;
}): ProviderDesk {
  const { people, identities, sessions, audit, clock, logger } = needs;
  const counters = needs.providers.map((provider): ProviderCounter => openCounter(provider));
  const transactions = createSealedBox<Transaction>(
    keyFromSecret(needs.secret, 'sign-in through a provider'),
  );
  const providerPeople = createProviderPeople(needs);
  const recheck = createProviderRecheck({
    counters,
    identities,
    people: providerPeople,
    times: needs.recheck,
    clock,
    logger,
  });

  return {
    async begin(providerId, { returnTo, previousToken, asksAnew, connects }) {
      const counter = findCounter(providerId);
      if (counter === undefined) return undefined;
      const transaction = newTransaction({ providerId, returnTo, previousToken, connects }, clock.wallMs());
      const url = await counter.client.authorizationUrl(transaction, asksAnew);
      return { url, transaction: transactions.seal(transaction) };
    },

    async finish(providerId, callbackQuery, sealed, device) {
      const counter = findCounter(providerId);
      const transaction = sealed === undefined ? undefined : transactions.open(sealed);
      if (counter === undefined || transaction?.providerId !== providerId) {
        throw new SignInProblem('sign_in_expired');
      }
      if (transaction.expiresAt <= clock.wallMs()) throw new SignInProblem('sign_in_expired');
      if (transaction.connects !== undefined) {
        const outcome = await connect(counter, transaction, transaction.connects, callbackQuery, device);
        return { signedIn: undefined, returnTo: `${transaction.returnTo}?${outcome}` };
      }
      try {
        const signedIn = await enter(counter, transaction, callbackQuery, device);
        return { signedIn, returnTo: transaction.returnTo };
      } catch (cause) {
        if (cause instanceof SignInProblem) audit.noteFailedSignIn(undefined, device);
        throw cause;
      }
    },

    async listOf(personId) {
      return (await identities.listOf(personId)).map(({ issuer }) => describe(issuer));
    },

    async disconnect(personId, providerId, by) {
      const counter = findCounter(providerId);
      const person = await people.find(personId);
      if (counter !== undefined && person?.managedBy === counter.provider.issuer) {
        throw new Refusal(
          'conflict',
          `${counter.provider.label} vouches for this account; without it there would be no way in.`,
        );
      }
      if (counter === undefined || !(await identities.unlink(personId, counter.provider.issuer))) {
        throw new Refusal('not_found', 'This provider is not connected to your account.');
      }
      await sessions.endThrough(personId, providerId);
      const detail = { provider: counter.provider.label };
      await audit.note({ kind: 'provider-disconnected', by, personId, detail });
    },

    describe,

    async signOutUrl(sessionId, personId) {
      const record = (await needs.sessionStore.listOf(personId)).find((session) => session.id === sessionId);
      const counter = record?.providerId === undefined ? undefined : findCounter(record.providerId);
      if (counter === undefined) return undefined;
      try {
        return await counter.client.signOutUrl(record?.idToken);
      } catch (error) {
        // Signing out here must work while the provider does not.
        logger.warn(
          { provider: counter.provider.name, error },
          'the provider could not be asked how to sign out',
        );
        return undefined;
      }
    },

    recheck,
  };

  function openCounter(provider: ProviderDefinition): ProviderCounter {
    const { clientSecret, issuer } = provider;
    return {
      provider,
      client: createProviderClient({ provider, clock, publicUrl: needs.publicUrl }),
      refreshTokens:
        clientSecret === ''
          ? undefined
          : createSealedBox(keyFromSecret(clientSecret, `refresh tokens of ${issuer}`)),
    };
  }

  function findCounter(providerId: string): ProviderCounter | undefined {
    return counters.find(({ provider }) => provider.name === providerId);
  }

  function describe(issuer: string): { id: string | undefined; name: string } {
    const provider = needs.providers.find((candidate) => candidate.issuer === issuer);
    return { id: provider?.name, name: provider?.label ?? URL.parse(issuer)?.host ?? issuer };
  }

  async function enter(
    { provider, client, refreshTokens }: ProviderCounter,
    transaction: Transaction,
    callbackQuery: string,
    device: Device,
  ): Promise<SignedIn> {
    const proven = await client.exchange(transaction, callbackQuery);
    const claimed = readClaims(provider, proven.subject, proven.claims);
    const { refreshToken, idToken } = proven;
    const sealed = refreshToken === undefined ? undefined : refreshTokens?.seal(refreshToken);
    const person = await providerPeople.enter(provider, claimed, sealed);
    if (person.state !== 'active') {
      throw new SignInProblem(problemOf(person.state), undefined, claimed.account);
    }
    const entrance = { device, previousToken: transaction.previousToken };
    return sessions.signIn(person, entrance, { method: provider.label, providerId: provider.name, idToken });
  }

  /** What the page is told that the person came from: they are signed in there, however this ends. */
  async function connect(
    { provider, client }: ProviderCounter,
    transaction: Transaction,
    owner: NonNullable<Transaction['connects']>,
    callbackQuery: string,
    device: Device,
  ): Promise<string> {
    try {
      const proven = await client.exchange(transaction, callbackQuery);
      await refuseEndedSession(owner);
      const claimed = readClaims(provider, proven.subject, proven.claims);
      await providerPeople.connect(provider, claimed, owner.personId);
      const { personId, sessionId: session } = owner;
      const by = { kind: 'person', personId, device } as const;
      const detail = { provider: provider.label, account: claimed.account, session };
      await audit.note({ kind: 'provider-connected', by, personId, detail });
      return `connected=${provider.name}`;
    } catch (cause) {
      if (!(cause instanceof SignInProblem)) throw cause;
      return `problem=${cause.code}`;
    }
  }

  /** The cookie does not come along on the way back from another site; the transaction names the session. */
  async function refuseEndedSession({ personId, sessionId }: NonNullable<Transaction['connects']>) {
    const person = await people.find(personId);
    const open = await sessions.list(personId);
    if (person?.state !== 'active' || !open.some(({ id }) => id === sessionId)) {
      throw new SignInProblem('sign_in_expired');
    }
  }
}

function problemOf(state: 'pending' | 'disabled' | 'withdrawn') {
  if (state === 'pending') return 'account_pending';
  return state === 'disabled' ? 'account_disabled' : 'not_permitted';
}
