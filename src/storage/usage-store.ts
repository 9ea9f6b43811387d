import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Spending, UsageGrouping, UsageQuery, UsageReportRow, UsageStore } from '#vocabulary/stores';
import type { Tables } from './tables.ts';
import { toUsageRecord } from './usage-row.ts';

/** Few enough that whoever writes beside it hardly waits. */
const forgottenAtOnce = 500;
/** A year of a hundred groups; of more, the oldest days come first. */
const maxDayRows = 40_000;

/** Reports are read from `reading`, beside whoever writes. */
export function createUsageStore(database: Kysely<Tables>, reading: Kysely<Tables>): UsageStore {
  return {
    async report(query) {
      const { rows } = await reportSql(query).execute(reading);
      return rows.map((row) => ({ ...row, ...describe(query.by, row.group, row.label) }));
    },

    async reportDays({ by, since, until, personId, project }) {
      const group = dayColumns[by];
      let query = reading
        .selectFrom('usage_days')
        .select((select) => [
          'day',
          `${group} as group`,
          select.fn.sum<number>('requests').as('requests'),
          select.fn.sum<number>(sql`input_tokens + output_tokens`).as('tokens'),
        ])
        .groupBy(['day', group])
        .orderBy('day')
        .limit(maxDayRows);
      if (since !== undefined) query = query.where('day', '>=', Math.floor(since / dayMs));
      if (until !== undefined) query = query.where('day', '<', Math.ceil(until / dayMs));
      if (personId !== undefined) query = query.where('person_id', '=', personId);
      if (project !== undefined) query = query.where('project', '=', project);
      return (await query.execute()).map((row) => ({
        day: dateOf(row.day),
        group: by === 'day' ? dateOf(row.day) : String(row.group),
        requests: row.requests,
        tokens: row.tokens,
      }));
    },

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

const dayMs = 86_400_000;

interface GroupedRow extends Omit<UsageReportRow, 'group' | 'label'> {
  readonly group: string | number;
  readonly label: string | null;
}

/** Whole days come from their sums; of a day that lies only partly in the period the requests are added up. */
function reportSql({ by, since, until, personId, project }: UsageQuery): RawBuilder<GroupedRow> {
  const firstDay = since === undefined ? 0 : Math.ceil(since / dayMs);
  const endDay = until === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(until / dayMs);
  const ofPerson = personId === undefined ? sql`` : sql`AND person_id = ${personId}`;
  const ofProject = project === undefined ? sql`` : sql`AND project = ${project}`;
  const edges =
    endDay < firstDay
      ? sql`started_at >= ${since} AND started_at < ${until}`
      : sql`(started_at >= ${since ?? 0} AND started_at < ${firstDay * dayMs})
         OR (started_at >= ${until === undefined ? Number.MAX_SAFE_INTEGER : endDay * dayMs}
           AND started_at < ${until ?? Number.MAX_SAFE_INTEGER})`;
  return sql<GroupedRow>`
    WITH used AS (
      SELECT day, person_id, key_id, project, network, door, model, requests, unfinished_requests, input_tokens,
        output_tokens, cached_tokens, reasoning_tokens, estimated_tokens
      FROM usage_days WHERE day >= ${firstDay} AND day < ${endDay} ${ofPerson} ${ofProject}
      UNION ALL
      SELECT started_at / ${sql.lit(dayMs)}, coalesce(person_id, ''), coalesce(key_id, ''), coalesce(project, ''),
        coalesce(network, ''), door, model, 1, CASE WHEN ending <> 'completed' THEN 1 ELSE 0 END, input_tokens,
        output_tokens, cached_tokens, reasoning_tokens,
        is_estimated * (input_tokens + output_tokens)
      FROM usage_records WHERE (${edges}) ${ofPerson} ${ofProject}
    )
    , summed AS (
      SELECT ${groupColumns[by]} AS "group", sum(requests) AS requests, sum(input_tokens) AS "inputTokens",
        sum(output_tokens) AS "outputTokens", sum(cached_tokens) AS "cachedTokens",
        sum(reasoning_tokens) AS "reasoningTokens", sum(estimated_tokens) AS "estimatedTokens",
        sum(unfinished_requests) AS "unfinishedRequests"
      FROM used GROUP BY 1
    )
    SELECT summed.*, ${labels[by]} AS label FROM summed
    ORDER BY ${by === 'day' ? sql`1` : sql`"inputTokens" + "outputTokens" DESC, 1`}`;
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

const groupColumns: Readonly<Record<UsageGrouping, RawBuilder<unknown>>> = {
  key: sql`key_id`,
  project: sql`project`,
  model: sql`model`,
  day: sql`day`,
  person: sql`person_id`,
  door: sql`door`,
  network: sql`network`,
};

const dayColumns = {
  key: 'key_id',
  project: 'project',
  model: 'model',
  day: 'day',
  person: 'person_id',
  door: 'door',
  network: 'network',
} as const satisfies Record<UsageGrouping, string>;

/** Looked up for each group, and not for each day of everybody. */
const noLabel = sql`NULL`;
const labels: Readonly<Record<UsageGrouping, RawBuilder<unknown>>> = {
  key: sql`(SELECT name || ' (' || prefix || '…)' FROM api_keys WHERE id = summed."group")`,
  person: sql`(SELECT email FROM people WHERE id = summed."group")`,
  project: noLabel,
  model: noLabel,
  day: noLabel,
  door: noLabel,
  network: noLabel,
};

function describe(
  by: UsageGrouping,
  group: string | number,
  label: string | null,
): Pick<UsageReportRow, 'group' | 'label'> {
  if (by === 'day') {
    const date = dateOf(Number(group));
    return { group: date, label: date };
  }
  if (group === '') return { group: '', label: '(none)' };
  return { group: String(group), label: label ?? String(group) };
}

function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
