import type { Kysely } from 'kysely';
import type { PersonUsageStore } from '#vocabulary/account-stores';
import type { Tables } from './tables.ts';

const maxRows = 20_000;
const dayMs = 86_400_000;

export function createPersonUsageStore(database: Kysely<Tables>): PersonUsageStore {
  return {
    async rowsOf(personId, since, until) {
      const rows = await database
        .selectFrom('usage_days as used')
        .leftJoin('api_keys', 'api_keys.id', 'used.key_id')
        .select((select) => [
          'used.day as day',
          'used.model as model',
          'used.door as door',
          'used.key_id as keyId',
          'api_keys.name as keyName',
          select.fn.sum<number>('requests').as('requests'),
          select.fn.sum<number>('input_tokens').as('inputTokens'),
          select.fn.sum<number>('output_tokens').as('outputTokens'),
          select.fn.sum<number>('cached_tokens').as('cachedTokens'),
          select.fn.sum<number>('reasoning_tokens').as('reasoningTokens'),
        ])
        .where('used.person_id', '=', personId)
        .where('used.day', '>=', Math.floor(since / dayMs))
        .where('used.day', '<', Math.ceil(until / dayMs))
        .groupBy(['used.day', 'used.model', 'used.door', 'used.key_id', 'api_keys.name'])
        .orderBy('used.day', 'desc')
        .limit(maxRows)
        .execute();
      return rows.map((row) => ({
        ...row,
        day: new Date(row.day * dayMs).toISOString().slice(0, 10),
        door: row.door as 'proxy' | 'direct' | 'chat',
        keyId: row.keyId === '' ? undefined : row.keyId,
        keyName: row.keyName ?? undefined,
      }));
    },
  };
}
