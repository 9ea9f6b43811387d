import type { IdentityRecord, IdentityStore } from '#vocabulary/account-stores';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import { readClaims, type ProviderDefinition } from './provider-claims.ts';
import type { ProviderClient } from './provider-client.ts';
import type { ProviderPeople } from './provider-people.ts';
import type { SealedBox } from './sealed-box.ts';

/** Who is asked about in one round; the rest waits for the next. */
const maxPerRound = 500;
const roundEveryMs = 60_000;

export interface ProviderCounter {
  readonly provider: ProviderDefinition;
  readonly client: ProviderClient;
  /** Undefined for a public client: without a secret of ours there is nothing to seal with. */
  readonly refreshTokens: SealedBox<string> | undefined;
}

export interface RecheckPlan {
  /** So long a session lives without a word of its provider. Half of it later the provider is asked. */
  readonly sessionsMs: number;
  /** So long the keys of a provider's person do. */
  readonly keysMs: number;
  /** Does what one gateway at a time should do: a provider may take a token that is shown twice for a stolen one. */
  readonly once?: (duty: string, work: () => Promise<void>) => Promise<void>;
}

export interface ProviderRecheck {
  /** One round. Never throws. */
  run(): Promise<void>;
  start(): void;
  stop(): void;
}

/** Asks providers again about the people whom they vouch for, and lets go of those for whom they no longer do. */
export function createProviderRecheck(needs: {
  readonly counters: readonly ProviderCounter[];
  readonly identities: IdentityStore;
  readonly people: ProviderPeople;
  readonly times: RecheckPlan;
  readonly clock: Clock;
  readonly logger: Logger;
}): ProviderRecheck {
  const { counters, identities, people, times, clock, logger } = needs;
  let timer: NodeJS.Timeout | undefined;
  const once = times.once ?? ((_, work) => work());
  let isRunning = false;

  return {
    async run() {
      if (isRunning) return;
      isRunning = true;
      try {
        await once('providers', async () => {
          await askAgain();
          await letGo();
        });
      } catch (error) {
        logger.error({ error }, 'people of identity providers could not be checked again');
      } finally {
        isRunning = false;
      }
    },
    start() {
      timer = setInterval(() => void this.run(), roundEveryMs).unref();
    },
    stop() {
      clearInterval(timer);
    },
  };

  async function askAgain(): Promise<void> {
    const silent = new Set<ProviderCounter>();
    for (const identity of await identities.listDue(clock.wallMs() - times.sessionsMs / 2, maxPerRound)) {
      const counter = counters.find(({ provider }) => provider.issuer === identity.issuer);
      if (counter === undefined || silent.has(counter)) continue;
      if (!(await askAbout(identity, counter))) silent.add(counter);
    }
  }

  /** False when the provider does not answer. */
  async function askAbout(identity: IdentityRecord, counter: ProviderCounter): Promise<boolean> {
    const { provider, client, refreshTokens } = counter;
    const refreshToken = refreshTokens?.open(identity.refreshToken ?? '');
    if (refreshToken === undefined) {
      await identities.forgetRefreshToken(identity);
      return true;
    }
    const renewal = await client.renew(refreshToken, identity.subject);
    switch (renewal.kind) {
      case 'proven': {
        const { claims, refreshToken: next } = renewal.proven;
        const claimed = readClaims(provider, identity.subject, claims);
        const sealed = next === undefined ? undefined : refreshTokens?.seal(next);
        await people.confirm(provider, claimed, identity.personId, sealed);
        return true;
      }
      case 'grant-over':
        // Sessions end when they are due. Keys stay a while: the person may only have signed out over there.
        await identities.forgetRefreshToken(identity);
        return true;
      case 'no-answer':
        logger.warn(
          { provider: provider.name, error: renewal.cause },
          'the provider could not be asked about its people; their sessions end when they are due',
        );
        return false;
    }
  }

  async function letGo(): Promise<void> {
    for (const { personId, issuer } of await identities.listUnconfirmed(
      clock.wallMs() - times.keysMs,
      maxPerRound,
    )) {
      const name = counters.find(({ provider }) => provider.issuer === issuer)?.provider.name ?? '';
      await people.withdraw(personId, { issuer, name });
    }
  }
}
