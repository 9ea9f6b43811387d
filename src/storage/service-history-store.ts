import type { Kysely, Selectable } from 'kysely';
import type { ServiceHistoryStore, ServiceStretch } from '#vocabulary/service-history';
import type { ServiceHistoryTable } from './status-tables.ts';
import type { Tables } from './tables.ts';

const amounts = [
  'requests',
  'failures',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'seconds_seen',
  'seconds_up',
  'waiting_seconds',
  'running_seconds',
] as const;

const firstTokens = [
  'first_within_100',
  'first_within_250',
  'first_within_500',
  'first_within_1000',
  'first_within_2000',
  'first_within_5000',
  'first_within_10000',
  'first_within_30000',
  'first_later',
] as const;

export function createServiceHistoryStore(
  database: Kysely<Tables>,
  reading: Kysely<Tables>,
): ServiceHistoryStore {
  return {
    async add(stretches) {
      if (stretches.length === 0) return;
      await database
        .insertInto('service_history')
        .values(stretches.map(toRow))
        .onConflict((conflict) =>
          conflict
            .columns(['length', 'starts_at', 'model'])
            .doUpdateSet((set) =>
              Object.fromEntries(
                [...amounts, ...firstTokens].map((column) => [
                  column,
                  set(`service_history.${column}`, '+', set.ref(`excluded.${column}`)),
                ]),
              ),
            ),
        )
        .execute();
    },

    async read(length, since) {
      const rows = await reading
        .selectFrom('service_history')
        .selectAll()
        .where('length', '=', length)
        .where('starts_at', '>=', since)
        .orderBy('starts_at')
        .execute();
      return rows.map(readStretch);
    },

    async forget(length, startedBefore) {
      await database
        .deleteFrom('service_history')
        .where('length', '=', length)
        .where('starts_at', '<', startedBefore)
        .execute();
    },
  };
}

function toRow(stretch: ServiceStretch): ServiceHistoryTable {
  const first = (index: number) => stretch.firstTokens[index] ?? 0;
  return {
    length: stretch.length,
    starts_at: stretch.startsAt,
    model: stretch.model,
    requests: stretch.requests,
    failures: stretch.failures,
    input_tokens: stretch.inputTokens,
    cached_tokens: stretch.cachedTokens,
    output_tokens: stretch.outputTokens,
    seconds_seen: stretch.secondsSeen,
    seconds_up: stretch.secondsUp,
    waiting_seconds: stretch.waitingSeconds,
    running_seconds: stretch.runningSeconds,
    first_within_100: first(0),
    first_within_250: first(1),
    first_within_500: first(2),
    first_within_1000: first(3),
    first_within_2000: first(4),
    first_within_5000: first(5),
    first_within_10000: first(6),
    first_within_30000: first(7),
    first_later: first(8),
  };
}

function readStretch(row: Selectable<ServiceHistoryTable>): ServiceStretch {
  return {
    length: row.length,
    model: row.model,
    startsAt: row.starts_at,
    requests: row.requests,
    failures: row.failures,
    inputTokens: row.input_tokens,
    cachedTokens: row.cached_tokens,
    outputTokens: row.output_tokens,
    secondsSeen: row.seconds_seen,
    secondsUp: row.seconds_up,
    waitingSeconds: row.waiting_seconds,
    runningSeconds: row.running_seconds,
    firstTokens: firstTokens.map((column) => row[column]),
  };
}
