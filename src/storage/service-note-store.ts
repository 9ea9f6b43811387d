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

    async replace(name, before, value) {
      if (before === undefined) {
        const added = await database
          .insertInto('service_notes')
          .values({ name, value })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
      }
      const changed = await database
        .updateTable('service_notes')
        .set({ value })
        .where('name', '=', name)
        .where('value', '=', before)
        .executeTakeFirst();
      return changed.numUpdatedRows > 0n;
    },

    async remove(name) {
      await database.deleteFrom('service_notes').where('name', '=', name).execute();
    },
  };
}
