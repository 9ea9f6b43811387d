import type { Kysely } from 'kysely';
import type { FolderStore } from '#vocabulary/folders';
import type { Tables } from './tables.ts';

export function createFolderStore(database: Kysely<Tables>): FolderStore {
  return {
    async list(personId) {
      const rows = await database
        .selectFrom('chat_folders')
        .select(['id', 'name', 'created_at'])
        .where('person_id', '=', personId)
        .orderBy('name')
        .orderBy('id')
        .execute();
      return rows.map(({ id, name, created_at: createdAt }) => ({ id, name, createdAt }));
    },

    insert(personId, { id, name, createdAt }, most) {
      return database.transaction().execute(async (transaction) => {
        // Of two folders made at once each counts the other.
        const person = transaction.selectFrom('people').select('id').where('id', '=', personId);
        await person.forUpdate().execute();
        const known = await transaction
          .selectFrom('chat_folders')
          .select('id')
          .where('person_id', '=', personId)
          .execute();
        if (known.length >= most) return false;
        await transaction
          .insertInto('chat_folders')
          .values({ id, person_id: personId, name, created_at: createdAt })
          .execute();
        return true;
      });
    },

    async rename(personId, folderId, name) {
      const result = await database
        .updateTable('chat_folders')
        .set({ name })
        .where('id', '=', folderId)
        .where('person_id', '=', personId)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async remove(personId, folderId) {
      const result = await database
        .deleteFrom('chat_folders')
        .where('id', '=', folderId)
        .where('person_id', '=', personId)
        .executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}
