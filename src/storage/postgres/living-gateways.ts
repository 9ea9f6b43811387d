import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { LivingProcesses } from '#vocabulary/living-processes';
import type { Tables } from '../tables.ts';

const beatEveryMs = 1_000;
/** A gateway that was not seen for so long is taken for dead. */
const deadAfterMs = 5_000;
const forgottenAfterMs = 86_400_000;

/** By the clock of the database: those of the gateways may differ. */
const now = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

export interface LivingGateways extends LivingProcesses {
  /** From now on the others know that this gateway serves. */
  begin(): void;
  /** Whether the last word reached the database. */
  readonly isHeard: boolean;
}

/**
 * Every gateway writes down that it lives. Nobody could while the database was away, so whoever has not lived through
 * the last seconds with it takes nobody for dead.
 */
export function openLivingGateways(database: Kysely<Tables>): LivingGateways {
  const steadyMs = deadAfterMs + beatEveryMs;
  const ownId = randomUUID();
  let beating: NodeJS.Timeout | undefined;
  let steadySince: number | undefined;
  let lastBeat = Promise.resolve();

  async function beat(): Promise<void> {
    try {
      await database
        .insertInto('gateways')
        .values({ id: ownId, seen_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
        .execute();
      steadySince ??= performance.now();
    } catch {
      steadySince = undefined;
    }
  }

  function begin(): void {
    if (beating !== undefined) return;
    lastBeat = beat();
    beating = setInterval(() => {
      lastBeat = lastBeat.then(beat);
    }, beatEveryMs).unref();
  }

  return {
    begin,
    get isHeard() {
      return steadySince !== undefined;
    },
    get ownId() {
      begin();
      return ownId;
    },
    async isAlive(gatewayId) {
      begin();
      if (gatewayId === ownId) return true;
      if (steadySince === undefined || performance.now() - steadySince < steadyMs) return true;
      await database
        .deleteFrom('gateways')
        .where('seen_at', '<', sql<number>`${now} - ${forgottenAfterMs}`)
        .execute();
      const seen = await database
        .selectFrom('gateways')
        .select('id')
        .where('id', '=', gatewayId)
        .where('seen_at', '>', sql<number>`${now} - ${deadAfterMs}`)
        .executeTakeFirst();
      return seen !== undefined;
    },
    async close() {
      if (beating === undefined) return;
      clearInterval(beating);
      await lastBeat;
      await database
        .deleteFrom('gateways')
        .where('id', '=', ownId)
        .execute()
        .catch(() => {});
    },
  };
}
