import { type Kysely, type RawBuilder, sql } from 'kysely';
import type {
  LargestUsage,
  UsageDayRow,
  UsageGrouping,
  UsageQuery,
  UsageReportRow,
  UsageStore,
  UsageTotals,
} from '#vocabulary/stores';
import type { Tables } from './tables.ts';

type Reports = Pick<UsageStore, 'report' | 'reportLargest' | 'reportDays'>;

export function createUsageReports(reading: Kysely<Tables>): Reports {
  return {
    async report(query) {
      const order = query.by === 'day' ? sql`1` : mostFirst;
      const { rows } = await sql<GroupedRow>`${summed(query)}
        SELECT summed.*, ${labels[query.by]} AS label FROM summed ORDER BY ${order}`.execute(reading);
      return rows.map((row) => describe(query.by, row));
    },

    async reportLargest(query, count): Promise<LargestUsage> {
      const { rows } = await largestSql(query, count).execute(reading);
      const largest = rows.filter(({ place }) => place <= count);
      const others = rows.find(({ place }) => place > count);
      return {
        groups: largest.map(({ place: _place, groups: _groups, ...row }) => describe(query.by, row)),
        others: others && { ...totalsOf(others), groups: others.groups },
      };
    },

    async reportDays(query, groups) {
      const [all, named] = await Promise.all([
        groups === undefined ? [] : dayRows(query).execute(),
        groups?.length === 0 ? [] : dayRows(query, { groups }).execute(),
      ]);
      const rows: UsageDayRow[] = named.map(({ day, group, requests, tokens }) => {
        const date = dateOf(day);
        return { day: date, group: query.by === 'day' ? date : String(group), requests, tokens };
      });
      const ofNamed = Map.groupBy(rows, ({ day }) => day);
      for (const { day, requests, tokens } of all) {
        const date = dateOf(day);
        const others = (ofNamed.get(date) ?? []).reduce(
          (left, row) => ({ requests: left.requests - row.requests, tokens: left.tokens - row.tokens }),
          { requests, tokens },
        );
        if (others.requests > 0) rows.push({ day: date, group: null, ...others });
      }
      return rows.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
    },
  };

  /** Of every day as a whole, or of its groups: all, or those that are named. */
  function dayRows(
    { by, since, until, personId, project }: UsageQuery,
    of?: { readonly groups: readonly string[] | undefined },
  ) {
    const column = dayColumns[by];
    let query = reading
      .selectFrom('usage_days')
      .select((select) => [
        'day',
        (of === undefined ? sql<string>`''` : sql.ref<string | number>(column)).as('group'),
        select.fn.sum<number>('requests').as('requests'),
        select.fn.sum<number>(sql`input_tokens + output_tokens`).as('tokens'),
      ])
      .groupBy('day')
      .orderBy('day');
    if (of !== undefined && column !== 'day') query = query.groupBy(column);
    if (of?.groups !== undefined) query = query.where(column, 'in', [...of.groups]);
    if (since !== undefined) query = query.where('day', '>=', Math.floor(since / dayMs));
    if (until !== undefined) query = query.where('day', '<', Math.ceil(until / dayMs));
    if (personId !== undefined) query = query.where('person_id', '=', personId);
    if (project !== undefined) query = query.where('project', '=', project);
    return query;
  }
}

export const dayMs = 86_400_000;

interface GroupedRow extends UsageTotals {
  readonly group: string | number;
  readonly label: string | null;
}

interface RankedRow extends GroupedRow {
  readonly place: number;
  /** How many this row stands for. */
  readonly groups: number;
}

const mostFirst = sql`"inputTokens" + "outputTokens" DESC, "group"`;

/**
 * The table `summed`, a row for each group. Whole days come from their sums; of a day that lies only partly in the
 * period the requests are added up.
 */
function summed({ by, since, until, personId, project }: UsageQuery): RawBuilder<unknown> {
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
  const ofRecords = sql`
    SELECT started_at / ${sql.lit(dayMs)}, coalesce(person_id, ''), coalesce(key_id, ''), coalesce(project, ''),
      coalesce(network, ''), door, model, 1, CASE WHEN ending <> 'completed' THEN 1 ELSE 0 END, input_tokens,
      output_tokens, cached_tokens, reasoning_tokens, is_estimated * (input_tokens + output_tokens)
    FROM usage_records WHERE (${edges}) ${ofPerson} ${ofProject}`;
  // Where nothing is to be added, the mere chance of it costs a report a third more.
  const isOfWholeDays = [since, until].every((edge) => edge === undefined || edge % dayMs === 0);
  return sql`
    WITH used AS (
      SELECT day, person_id, key_id, project, network, door, model, requests, unfinished_requests, input_tokens,
        output_tokens, cached_tokens, reasoning_tokens, estimated_tokens
      FROM usage_days WHERE day >= ${firstDay} AND day < ${endDay} ${ofPerson} ${ofProject}
      ${isOfWholeDays ? sql`` : sql`UNION ALL ${ofRecords}`}
    ),
    summed AS (
      SELECT ${sql.ref(dayColumns[by])} AS "group", sum(requests) AS requests, sum(input_tokens) AS "inputTokens",
        sum(output_tokens) AS "outputTokens", sum(cached_tokens) AS "cachedTokens",
        sum(reasoning_tokens) AS "reasoningTokens", sum(estimated_tokens) AS "estimatedTokens",
        sum(unfinished_requests) AS "unfinishedRequests"
      FROM used GROUP BY 1
    )`;
}

/** All behind the largest become one row, so that thousands of groups neither travel nor get names. */
function largestSql(query: UsageQuery, count: number): RawBuilder<RankedRow> {
  return sql<RankedRow>`${summed(query)},
    ranked AS (SELECT *, row_number() OVER (ORDER BY ${mostFirst}) AS place FROM summed),
    cut AS (SELECT *, CASE WHEN place <= ${sql.lit(count)} THEN place ELSE ${sql.lit(count + 1)} END AS spot FROM ranked),
    largest AS (
      SELECT spot AS place, count(*) AS groups, min("group") AS "group",
        ${sql.join(totals.map((total) => sql`sum(${sql.ref(total)}) AS ${sql.ref(total)}`))}
      FROM cut GROUP BY spot
    )
    SELECT summed.*, ${labels[query.by]} AS label FROM largest AS summed ORDER BY place`;
}

const totals = [
  'requests',
  'inputTokens',
  'outputTokens',
  'cachedTokens',
  'reasoningTokens',
  'estimatedTokens',
  'unfinishedRequests',
] as const satisfies readonly (keyof UsageTotals)[];

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

function describe(by: UsageGrouping, row: GroupedRow): UsageReportRow {
  const { group, label } = row;
  if (by === 'day') return { ...row, group: dateOf(Number(group)), label: dateOf(Number(group)) };
  if (group === '') return { ...row, group: '', label: '(none)' };
  return { ...row, group: String(group), label: label ?? String(group) };
}

function totalsOf(row: UsageTotals): UsageTotals {
  const { requests, inputTokens, outputTokens, cachedTokens, reasoningTokens } = row;
  const { estimatedTokens, unfinishedRequests } = row;
  return {
    requests,
    inputTokens,
    outputTokens,
    cachedTokens,
    reasoningTokens,
    estimatedTokens,
    unfinishedRequests,
  };
}

function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
