import type { Kysely } from 'kysely';
import type { ServiceNoteStore } from '#vocabulary/service-notes';
import type { Tables } from './tables.ts';

export function createServiceNoteStore(database: Kysely<Tables>): ServiceNoteStore {
  return {
    async read(name) {
      const query = database.selectFrom('service_notes').select('value').where('name', '=', name);
      return (await query.executeTakeFirst())?.value;
    },

    async write(name, value) {
      await database
        .insertInto('service_notes')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    },

    async remove(name) {
      await database.deleteFrom('service_notes').where('name', '=', name).execute();
    },
  };
}
