import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Spending, UsageStore } from '#vocabulary/stores';
import type { Tables } from './tables.ts';
import { createUsageReports, dayMs } from './usage-report.ts';
import { toUsageRecord } from './usage-row.ts';

/** Few enough that whoever writes beside it hardly waits. */
const forgottenAtOnce = 500;

/** Reports are read from `reading`, beside whoever writes. */
export function createUsageStore(database: Kysely<Tables>, reading: Kysely<Tables>): UsageStore {
  return {
    ...createUsageReports(reading),

    async readSpending(dayStart, monthStart) {
      const { rows } = await spendingSql(dayStart, monthStart).execute(reading);
      return rows;
    },

    async find(requestId) {
      const query = reading.selectFrom('usage_records').selectAll().where('request_id', '=', requestId);
      const row = await query.executeTakeFirst();
      return row === undefined ? undefined : toUsageRecord(row);
    },

    async forgetSome(startedBefore) {
      const wholeDays = Math.floor(startedBefore / dayMs) * dayMs;
      const { numDeletedRows } = await database
        .deleteFrom('usage_records')
        .where('request_id', 'in', (chosen) =>
          chosen
            .selectFrom('usage_records')
            .select('request_id')
            .where('started_at', '<', wholeDays)
            .limit(forgottenAtOnce),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** Callers without a key are known by their address, which the sums of days do not keep. */
function spendingSql(dayStart: number, monthStart: number): RawBuilder<Spending> {
  return sql<Spending>`
    WITH spent AS (
      SELECT project, person_id, key_id, NULL AS address, model, day * ${sql.lit(dayMs)} AS at, cost
      FROM usage_days WHERE network = ''
      UNION ALL
      SELECT project, '', '', address, model, started_at, cost FROM usage_records WHERE caller_kind = 'network'
    )
    SELECT nullif(project, '') AS project, nullif(person_id, '') AS "personId", nullif(key_id, '') AS "keyId",
      address, model, ${costSince(dayStart)} AS day, ${costSince(monthStart)} AS month,
      sum(cost) AS total
    FROM spent GROUP BY project, person_id, key_id, address, model`;
}

function costSince(start: number): RawBuilder<unknown> {
  return sql`sum(CASE WHEN at >= ${start} THEN cost ELSE 0 END)`;
}
