import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { send } from '#harness/http-client';
import { issueKey } from '#harness/key-office';
import type { Death } from './chaos-kills.ts';
import type { MortalService } from './mortals.ts';

/** How long a gateway may go on when nobody is in its way; what takes longer than the patience is measured as that. */
const patienceMs = 15_000;

/** A gateway has until then to notice that its database is back. */
const reconnectingMs = 3000;

/**
 * Makes a key, waits until every living gateway accepts it, revokes it in the database and measures how long each one
 * goes on accepting it. What overlaps with a death of the database or of that gateway does not count.
 */
export function watchRevocations(
  { gateways, databaseAddress }: MortalService,
  deaths: readonly Death[],
): { readonly tookMs: readonly number[]; over(): Promise<void> } {
  const tookMs: number[] = [];
  const end = new AbortController();
  const watching = (async () => {
    while (!end.signal.aborted) {
      await once().catch(() => {});
      await sleep(300);
    }
  })();
  return {
    tookMs,
    async over() {
      end.abort();
      await watching;
    },
  };

  async function once(): Promise<void> {
    const { id, secret } = await issueKey(gateways[0]!.dataDir, { name: 'revoked soon' }, databaseAddress);
    const isKnown = async (url: string) => {
      const headers = { authorization: `Bearer ${secret}` };
      return await send(`${url}/api/models`, { headers }).then(
        ({ status }) => status === 200,
        () => undefined,
      );
    };
    const giveUpAt = performance.now() + patienceMs;
    const accepting = new Set<number>();
    while (accepting.size < gateways.length && performance.now() < giveUpAt) {
      for (const [index, { url }] of gateways.entries())
        if ((await isKnown(url)) === true) accepting.add(index);
      await sleep(50);
    }
    const client = new Client({ connectionString: databaseAddress, connectionTimeoutMillis: 5000 });
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query('UPDATE api_keys SET revoked_at = 1 WHERE id = $1', [id]);
    } finally {
      // A server that was killed meanwhile does not say goodbye.
      void client.end().catch(() => {});
    }
    const revokedAt = performance.now();
    await Promise.all([...accepting].map((index) => measure(index, isKnown, revokedAt)));
  }

  async function measure(
    index: number,
    isKnown: (url: string) => Promise<boolean | undefined>,
    revokedAt: number,
  ): Promise<void> {
    const { url, name } = gateways[index]!;
    // The answer that still said yes was given no later than now.
    let acceptedAt = revokedAt;
    while (performance.now() < revokedAt + patienceMs) {
      const askedAt = performance.now();
      const known = await isKnown(url);
      if (known === undefined) return;
      if (!known) break;
      acceptedAt = askedAt;
      await sleep(20);
    }
    const isDisturbed = deaths.some(
      (death) =>
        death.from <= acceptedAt + 1000 &&
        (death.name === name
          ? death.to >= revokedAt
          : death.name === 'the database' && death.to >= revokedAt - reconnectingMs),
    );
    if (!isDisturbed) tookMs.push(Math.round(acceptedAt - revokedAt));
  }
}
