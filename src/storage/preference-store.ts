import type { Kysely } from 'kysely';
import type { PreferenceStore } from '#vocabulary/account-stores';
import type { Tables } from './tables.ts';

export function createPreferenceStore(database: Kysely<Tables>): PreferenceStore {
  return {
    async read(personId) {
      const query = database.selectFrom('preferences').select('content').where('person_id', '=', personId);
      const row = await query.executeTakeFirst();
      return row === undefined ? {} : (JSON.parse(row.content) as Record<string, unknown>);
    },

    async write(personId, preferences) {
      const content = JSON.stringify(preferences);
      await database
        .insertInto('preferences')
        .values({ person_id: personId, content })
        .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ content }))
        .execute();
    },
  };
}
