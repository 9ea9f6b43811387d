import { sql, type Kysely } from 'kysely';
import type { PersonUsageStore } from '#vocabulary/account-stores';
import type { Tables } from './tables.ts';

const maxRows = 20_000;

export function createPersonUsageStore(database: Kysely<Tables>): PersonUsageStore {
  return {
    async rowsOf(personId, since, until) {
      const day = sql<string>`strftime('%Y-%m-%d', started_at / 1000, 'unixepoch')`;
      const rows = await database
        .selectFrom('usage_records')
        .leftJoin('api_keys', 'api_keys.id', 'usage_records.key_id')
        .select((select) => [
          day.as('day'),
          'usage_records.model as model',
          'usage_records.door as door',
          'usage_records.key_id as keyId',
          'api_keys.name as keyName',
          select.fn.countAll<number>().as('requests'),
          select.fn.sum<number>('input_tokens').as('inputTokens'),
          select.fn.sum<number>('output_tokens').as('outputTokens'),
          select.fn.sum<number>('cached_tokens').as('cachedTokens'),
          select.fn.sum<number>('reasoning_tokens').as('reasoningTokens'),
        ])
        .where('usage_records.person_id', '=', personId)
        .where('started_at', '>=', since)
        .where('started_at', '<', until)
        .groupBy([day, 'usage_records.model', 'usage_records.door', 'usage_records.key_id'])
        .orderBy(day, 'desc')
        .limit(maxRows)
        .execute();
      return rows.map((row) => ({
        ...row,
        door: row.door as 'proxy' | 'direct' | 'chat',
        keyId: row.keyId ?? undefined,
        keyName: row.keyName ?? undefined,
      }));
    },
  };
}
