import { setTimeout as pause } from 'node:timers/promises';
import { PostgresDialect, sql } from 'kysely';
import type { Logger } from '#vocabulary/logger';
import { speak } from '../speak.ts';
import type { Storage } from '../storage.ts';
import { createStores } from '../stores.ts';
import { openChangeFeed } from './change-feed.ts';
import { openLivingGateways } from './living-gateways.ts';
import { openNewsBoard } from './news-board.ts';
import { createPostgresPool } from './postgres-pool.ts';
import { postgresSearch } from './postgres-search.ts';
import { preparePostgres } from './prepare-postgres.ts';

/** People wait for these. */
const statementMs = 10_000;
/** Searches, reports and exports. */
const reportMs = 60_000;
const goodbyeMs = 2_000;
const connections = 10;
const reportConnections = 4;

/** PostgreSQL behind the same stores. Throws an `OperatorProblem` when it cannot be used. */
export async function openPostgresStorage(parts: {
  readonly address: string;
  readonly dataDir: string;
  readonly service?: string | undefined;
  readonly logger: Logger;
  readonly queriesRunIn?: 'own-thread' | 'this-thread';
}): Promise<Storage> {
  const { address, dataDir, service, logger } = parts;
  const secret = await preparePostgres(address, dataDir, service, logger);
  const pool = createPostgresPool({ address, connections, statementMs });
  const reportPool = createPostgresPool({
    address,
    connections: reportConnections,
    statementMs: reportMs,
    workMemory: '16MB',
  });
  const database = speak(new PostgresDialect({ pool }));
  const reading = speak(new PostgresDialect({ pool: reportPool }));
  const processes = openLivingGateways(database);
  // A program that soon ends is no gateway.
  if (parts.queriesRunIn !== 'this-thread') processes.begin();
  const feed = openChangeFeed(address);
  const newsBoard = openNewsBoard(address, () => processes.ownId);
  let closing: Promise<void> | undefined;
  return {
    ...createStores({ database, reading, processes, words: postgresSearch }),
    secret,
    newsBoard,
    usageApplier: {
      moduleUrl: new URL('./postgres-usage-applier.ts', import.meta.url).href,
      location: address,
    },
    onChange: (listener) => feed.listen(listener),
    once: (duty, work) =>
      reading.connection().execute(async (connection) => {
        const lock = sql`hashtextextended(${`gatehouse ${duty}`}, 0)`;
        const { rows } = await sql<{ mine: boolean }>`SELECT pg_try_advisory_lock(${lock}) AS mine`.execute(
          connection,
        );
        if (rows[0]?.mine !== true) return;
        try {
          await work();
        } finally {
          await sql`SELECT pg_advisory_unlock(${lock})`.execute(connection);
        }
      }),
    // Without its database the gateway goes on with what it has in memory, so it is no reason to be sent away.
    problem: () => undefined,
    isReachable: () => processes.isHeard,
    // A server that answers nothing is left without a word.
    close: () => (closing ??= Promise.race([close(), pause(goodbyeMs, undefined, { ref: false })])),
  };

  async function close(): Promise<void> {
    await processes.close();
    await Promise.all([
      feed.close(),
      newsBoard[Symbol.asyncDispose](),
      database.destroy(),
      reading.destroy(),
    ]);
  }
}
