import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { UsageGrouping, UsageQuery, UsageReportRow, UsageStore } from '#vocabulary/stores';
import type { Tables } from './tables.ts';
import { toUsageRecord } from './usage-row.ts';

export function createUsageStore(database: Kysely<Tables>): UsageStore {
  return {
    async report(query) {
      const rows = await groupRecords(database, query);
      return rows.map((row) => ({ ...row, ...describe(query.by, row.group, row.label) }));
    },

    async readSpending(dayStart, monthStart) {
      const address = sql<string | null>`CASE caller_kind WHEN 'network' THEN address END`;
      return await database
        .selectFrom('usage_records')
        .select([
          'project',
          'person_id as personId',
          'key_id as keyId',
          address.as('address'),
          sql<number>`sum(CASE WHEN started_at >= ${dayStart} THEN cost ELSE 0 END)`.as('day'),
          sql<number>`sum(CASE WHEN started_at >= ${monthStart} THEN cost ELSE 0 END)`.as('month'),
          sql<number>`sum(cost)`.as('total'),
        ])
        .groupBy(['project', 'person_id', 'key_id', address])
        .execute();
    },

    async find(requestId) {
      const query = database.selectFrom('usage_records').selectAll().where('request_id', '=', requestId);
      const row = await query.executeTakeFirst();
      return row === undefined ? undefined : toUsageRecord(row);
    },
  };
}

const dayMs = 86_400_000;

interface GroupedRow extends Omit<UsageReportRow, 'group' | 'label'> {
  readonly group: string | number | null;
  readonly label: string | null;
}

async function groupRecords(database: Kysely<Tables>, query: UsageQuery): Promise<readonly GroupedRow[]> {
  const group = groupExpression(query);
  let records = database
    .selectFrom('usage_records as record')
    .leftJoin('api_keys as key', 'key.id', 'record.key_id')
    .leftJoin('people as person', 'person.id', 'record.person_id')
    .select([
      group.as('group'),
      labelExpression(query.by).as('label'),
      sql<number>`count(*)`.as('requests'),
      sql<number>`sum(input_tokens)`.as('inputTokens'),
      sql<number>`sum(output_tokens)`.as('outputTokens'),
      sql<number>`sum(cached_tokens)`.as('cachedTokens'),
      sql<number>`sum(reasoning_tokens)`.as('reasoningTokens'),
      sql<number>`sum(is_estimated * (input_tokens + output_tokens))`.as('estimatedTokens'),
      sql<number>`sum(CASE ending WHEN 'completed' THEN 0 ELSE 1 END)`.as('unfinishedRequests'),
    ])
    .groupBy(group)
    .orderBy(query.by === 'day' ? sql`1` : sql`sum(input_tokens + output_tokens) DESC`)
    .orderBy(sql`1`);
  if (query.since !== undefined) records = records.where('started_at', '>=', query.since);
  if (query.until !== undefined) records = records.where('started_at', '<', query.until);
  if (query.personId !== undefined) records = records.where('record.person_id', '=', query.personId);
  return await records.execute();
}

const groupColumns = {
  key: sql`record.key_id`,
  project: sql`record.project`,
  model: sql`record.model`,
  person: sql`record.person_id`,
  door: sql`record.door`,
} as const satisfies Record<Exclude<UsageGrouping, 'day'>, RawBuilder<unknown>>;

function groupExpression({ by, dayOffsetMs = 0 }: UsageQuery): RawBuilder<string | number | null> {
  if (by !== 'day') return groupColumns[by].$castTo<string | null>();
  // Written out instead of bound: equal parameters are not equal expressions in GROUP BY.
  return sql`(record.started_at + ${sql.lit(Math.trunc(dayOffsetMs))}) / ${sql.lit(dayMs)}`;
}

function labelExpression(by: UsageGrouping): RawBuilder<string | null> {
  if (by === 'key') return sql`max(key.name || ' (' || key.prefix || '…)')`;
  if (by === 'person') return sql`max(person.email)`;
  return sql`NULL`;
}

function describe(
  by: UsageGrouping,
  group: string | number | null,
  label: string | null,
): Pick<UsageReportRow, 'group' | 'label'> {
  if (group === null) return { group: '', label: '(none)' };
  if (by === 'day') {
    const date = new Date(Number(group) * dayMs).toISOString().slice(0, 10);
    return { group: date, label: date };
  }
  return { group: String(group), label: label ?? String(group) };
}
