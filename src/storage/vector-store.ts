import { sql, type Kysely } from 'kysely';
import type { VectorStore } from '#vocabulary/documents';
import { readDocument, weigh } from './document-store.ts';
import type { Tables } from './tables.ts';

/** Few rows in one step: whoever writes meanwhile waits for one step at most, and nobody holds many at once. */
const vectorsPerStep = 200;
const vectorsPerRead = 512;
/** Room for a row and its index entry. */
const rowBytes = 80;

export function createVectorStore(database: Kysely<Tables>, reading: Kysely<Tables>): VectorStore {
  return {
    async findUnembedded(modelId, maxCharacters, except) {
      const row = await database
        .selectFrom('documents')
        .selectAll()
        .where('characters', '>', 0)
        .where('characters', '<=', maxCharacters)
        .where('removed_at', 'is', null)
        .where((where) =>
          // Not `<>`, which no index can answer.
          where.or([
            where('embedded_by', 'is', null),
            where('embedded_by', '<', modelId),
            where('embedded_by', '>', modelId),
          ]),
        )
        .where('id', 'not in', except)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : readDocument(row);
    },

    async readUnembedded(documentId, limit) {
      return await database
        .selectFrom('document_passages as passages')
        .leftJoin('passage_vectors as vectors', 'vectors.position', 'passages.position')
        .select(['passages.position', 'passages.content as text'])
        .where('passages.document_id', '=', documentId)
        .where('vectors.position', 'is', null)
        .orderBy('passages.page')
        .orderBy('passages.start')
        .limit(limit)
        .execute();
    },

    async addVectors(documentId, modelId, vectors) {
      await database.transaction().execute(async (transaction) => {
        const there = await transaction
          .selectFrom('document_passages')
          .select('position')
          .where(
            'position',
            'in',
            vectors.map(({ position }) => position),
          )
          .where('document_id', '=', documentId)
          .execute();
        const known = new Set(there.map(({ position }) => position));
        const rows = vectors.flatMap(({ position, vector }) =>
          known.has(position)
            ? { position, document_id: documentId, model: modelId, vector: new Uint8Array(vector) }
            : [],
        );
        if (rows.length === 0) return;
        await transaction.insertInto('passage_vectors').values(rows).execute();
        const bytes = rows.reduce((sum, { vector }) => sum + vector.length + rowBytes, 0);
        await weigh(transaction, documentId, bytes);
      });
    },

    async markEmbedded(documentId, modelId) {
      await database
        .updateTable('documents')
        .set({ embedded_by: modelId })
        .where('id', '=', documentId)
        .execute();
    },

    async dropVectors(documentId, except) {
      return await database.transaction().execute(async (transaction) => {
        let query = transaction
          .selectFrom('passage_vectors')
          .select(['position', sql<number>`length(vector)`.as('bytes')])
          .where('document_id', '=', documentId)
          .limit(vectorsPerStep);
        if (except !== undefined) query = query.where('model', '<>', except);
        const doomed = await query.execute();
        if (doomed.length === 0) return 0;
        const positions = doomed.map(({ position }) => position);
        await transaction.deleteFrom('passage_vectors').where('position', 'in', positions).execute();
        await transaction
          .updateTable('documents')
          .set({ embedded_by: null })
          .where('id', '=', documentId)
          .execute();
        const bytes = doomed.reduce((sum, row) => sum + row.bytes + rowBytes, 0);
        await weigh(transaction, documentId, -bytes);
        return doomed.length;
      });
    },

    async findEmbedded() {
      const row = await database.selectFrom('passage_vectors').select('document_id').executeTakeFirst();
      return row?.document_id;
    },

    async *readVectors(documentId, modelId) {
      for (let last = -1; ;) {
        const rows = await reading
          .selectFrom('passage_vectors')
          .select(['position', 'vector'])
          .where('document_id', '=', documentId)
          .where('model', '=', modelId)
          .where('position', '>', last)
          .orderBy('position')
          .limit(vectorsPerRead)
          .execute();
        const end = rows.at(-1);
        if (end === undefined) return;
        last = end.position;
        yield rows.map(({ position, vector }) => ({ position, vector: signed(vector) }));
        if (rows.length < vectorsPerRead) return;
      }
    },

    async readPassagesAt(positions) {
      return await reading
        .selectFrom('document_passages')
        .select(['position', 'document_id as documentId', 'page', 'start', 'content as text'])
        .where('position', 'in', positions)
        .execute();
    },
  };
}

/** The same bytes. */
function signed({ buffer, byteOffset, length }: Uint8Array): Int8Array {
  return new Int8Array(buffer, byteOffset, length);
}
