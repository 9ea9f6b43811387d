import { PostgresDialect, sql } from 'kysely';
import { isObject } from '#dialects/json-object';
import type { NewsBoard } from '#vocabulary/peers';
import { speak } from '../speak.ts';
import { createPostgresPool } from './postgres-pool.ts';

/** Late news are no news. */
const statementMs = 1_000;
/** A gateway that has put nothing up for so long does not live any more, however busy its machine is. */
const deadAfterMs = 15_000;
const forgottenAfterMs = 60_000;

/** By the clock of the database: those of the gateways may differ. */
const now = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/** On a connection of its own, so that nobody's report holds the news up. */
export function openNewsBoard(address: string, ownId: () => string): NewsBoard & AsyncDisposable {
  const database = speak(
    new PostgresDialect({ pool: createPostgresPool({ address, connections: 1, statementMs }) }),
  );
  return {
    get ownId() {
      return ownId();
    },
    async exchange(own) {
      const told = { seen_at: now, address: own.address, topics: JSON.stringify(own.topics) };
      await database
        .insertInto('gateway_news')
        .values({ id: ownId(), ...told })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(told))
        .execute();
      const rows = await database
        .selectFrom('gateway_news')
        .select(['id', 'address', 'topics', sql<number>`${now} - seen_at`.as('age_ms')])
        .where('id', '<>', ownId())
        .where('seen_at', '>', sql<number>`${now} - ${deadAfterMs}`)
        .execute();
      return rows.map(({ id, address: reachedAt, topics, age_ms: ageMs }) => ({
        gatewayId: id,
        address: reachedAt,
        topics: readTopics(topics),
        ageMs,
      }));
    },
    async withdraw() {
      await database
        .deleteFrom('gateway_news')
        .where((row) =>
          row.or([row('id', '=', ownId()), row('seen_at', '<', sql<number>`${now} - ${forgottenAfterMs}`)]),
        )
        .execute()
        .catch(() => {});
    },
    [Symbol.asyncDispose]: () => database.destroy(),
  };
}

function readTopics(text: string): Readonly<Record<string, unknown>> {
  const topics: unknown = JSON.parse(text);
  return isObject(topics) ? topics : {};
}
