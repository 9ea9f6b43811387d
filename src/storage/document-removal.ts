import type { Kysely } from 'kysely';
import type { DocumentStore } from '#vocabulary/documents';
import type { Tables } from './tables.ts';

/** Few rows in one step: whoever writes meanwhile waits for one step at most. */
const passagesPerStep = 200;
const partsPerStep = 4;

export function createDocumentRemoval(database: Kysely<Tables>): Pick<DocumentStore, 'remove' | 'purge'> {
  return {
    async remove(personId, documentId) {
      const result = await database
        .updateTable('documents')
        .set({ removed_at: Date.now() })
        .where('id', '=', documentId)
        .where('person_id', '=', personId)
        .where('project_id', 'is', null)
        .where('removed_at', 'is', null)
        .where((where) => where.not(where.exists(usesOf(documentId))))
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async purge(madeBefore) {
      const doomed = await database
        .selectFrom('documents')
        .select('id')
        .where((where) =>
          where.or([
            where('removed_at', 'is not', null),
            // A space keeps what has arrived until somebody removes it.
            where.and([
              where('created_at', '<', madeBefore),
              where.or([where('project_id', 'is', null), where('state', '=', 'arriving')]),
            ]),
          ]),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('document_uses')
                .select('message_id')
                .whereRef('document_uses.document_id', '=', 'documents.id'),
            ),
          ),
        )
        .executeTakeFirst();
      if (doomed === undefined) return 0;
      // From here on nobody can use it any more.
      await database
        .updateTable('documents')
        .set({ removed_at: madeBefore })
        .where('id', '=', doomed.id)
        .where('removed_at', 'is', null)
        .execute();
      return (
        (await removePassages(doomed.id)) || (await removeParts(doomed.id)) || (await removeRow(doomed.id))
      );
    },
  };

  function usesOf(documentId: string) {
    return database.selectFrom('document_uses').select('message_id').where('document_id', '=', documentId);
  }

  async function removePassages(documentId: string): Promise<number> {
    const result = await database
      .deleteFrom('document_passages')
      .where('position', 'in', (chosen) =>
        chosen
          .selectFrom('document_passages')
          .select('position')
          .where('document_id', '=', documentId)
          .limit(passagesPerStep),
      )
      .executeTakeFirst();
    return Number(result.numDeletedRows);
  }

  async function removeParts(documentId: string): Promise<number> {
    const result = await database
      .deleteFrom('document_parts')
      .where('document_id', '=', documentId)
      .where('number', 'in', (chosen) =>
        chosen
          .selectFrom('document_parts')
          .select('number')
          .where('document_id', '=', documentId)
          .limit(partsPerStep),
      )
      .executeTakeFirst();
    return Number(result.numDeletedRows);
  }

  async function removeRow(documentId: string): Promise<number> {
    const result = await database.deleteFrom('documents').where('id', '=', documentId).executeTakeFirst();
    return Number(result.numDeletedRows);
  }
}
