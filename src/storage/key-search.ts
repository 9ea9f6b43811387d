import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { FoundKeys, KeySearch } from '#vocabulary/key-search';
import type { KeyStore, PeopleStore } from '#vocabulary/stores';
import { selectKeys, toDescription } from './key-rows.ts';
import type { ApiKeysTable, Tables } from './tables.ts';

const unusedAfterMs = 90 * 86_400_000;

/**
 * Without words the database gives the page and the number of all. With words the few texts that count are read and
 * compared here, because the databases do not agree on what a capital letter is.
 */
export function createKeySearch(
  database: Kysely<Tables>,
  people: Pick<PeopleStore, 'findAll'>,
): Pick<KeyStore, 'search'> {
  return {
    async search(wanted) {
      const words = wanted.search?.trim().toLowerCase() ?? '';
      const { ids, total } = words === '' ? await pageOf(wanted) : await pageWithWords(wanted, words);
      if (ids.length === 0) return { keys: [], total };
      const rows = await selectKeys(database).where('api_keys.id', 'in', ids).execute();
      const owners = new Map(
        (await people.findAll([...new Set(rows.map((row) => row.person_id))])).map((one) => [one.id, one]),
      );
      const found = new Map(rows.map((row) => [row.id, toDescription(row)]));
      const keys = ids.flatMap((id): FoundKeys['keys'] => {
        const key = found.get(id);
        const owner = key === undefined ? undefined : owners.get(key.personId);
        return key === undefined || owner === undefined ? [] : [{ ...key, owner }];
      });
      return { keys, total };
    },
  };

  async function pageOf(wanted: KeySearch): Promise<{ ids: string[]; total: number }> {
    const [page, counted] = await Promise.all([
      newestFirst(chosen(wanted).select('api_keys.id')).limit(wanted.limit).offset(wanted.skip).execute(),
      chosen(wanted)
        .select((select) => select.fn.countAll<number>().as('keys'))
        .executeTakeFirstOrThrow(),
    ]);
    return { ids: page.map(({ id }) => id), total: counted.keys };
  }

  async function pageWithWords(wanted: KeySearch, words: string): Promise<{ ids: string[]; total: number }> {
    const has = (text: string) => text.toLowerCase().includes(words);
    const [keys, everybody] = await Promise.all([
      newestFirst(
        chosen(wanted).select(['api_keys.id', 'api_keys.name', 'api_keys.prefix', 'api_keys.person_id']),
      ).execute(),
      database.selectFrom('people').select(['id', 'name', 'email']).execute(),
    ]);
    const owners = new Set(
      everybody.filter(({ name, email }) => has(name) || has(email)).map(({ id }) => id),
    );
    const found = keys.filter((key) => owners.has(key.person_id) || has(key.name) || has(key.prefix));
    const page = found.slice(wanted.skip, wanted.skip + wanted.limit);
    return { ids: page.map(({ id }) => id), total: found.length };
  }

  function chosen({ projectId, state, now }: KeySearch) {
    let query = database.selectFrom('api_keys');
    if (projectId !== undefined) query = query.where('project_id', '=', projectId);
    if (state === 'revoked') return query.where('revoked_at', 'is not', null);
    if (state !== undefined) query = query.where('revoked_at', 'is', null);
    if (state === 'expired') return query.where('expires_at', '<=', now);
    if (state !== undefined)
      query = query.where((where) =>
        where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]),
      );
    return state === 'unused' ? query.where((where) => wasNotUsedSince(where, now - unusedAfterMs)) : query;
  }
}

function newestFirst<Row>(query: SelectQueryBuilder<Tables, 'api_keys', Row>) {
  return query.orderBy('api_keys.created_at', 'desc').orderBy('api_keys.id');
}

function wasNotUsedSince(where: ExpressionBuilder<Tables, 'api_keys'>, moment: number) {
  const lastUse = where
    .selectFrom('api_key_uses')
    .select('used_at')
    .whereRef('api_key_uses.key_id', '=', 'api_keys.id');
  const lastSign = where.fn.coalesce(lastUse, sql.ref<ApiKeysTable['created_at']>('api_keys.created_at'));
  return where(lastSign, '<', moment);
}
