import { sql, type Kysely, type Selectable } from 'kysely';
import type { DocumentStore, FoundPassage, StoredDocument } from '#vocabulary/documents';
import type { WordSearch } from './conversation-search.ts';
import { createDocumentRemoval } from './document-removal.ts';
import type { DocumentsTable } from './document-tables.ts';
import type { Tables } from './tables.ts';
import { isUniquenessViolation } from './uniqueness.ts';

const passagesPerRead = 200;
/** Passages whose text one search looks through. */
const maxLookedThrough = 20_000;
/** Room for a row and its index entries. */
const rowBytes = 200;

export function createDocumentStore(
  database: Kysely<Tables>,
  reading: Kysely<Tables>,
  words: WordSearch,
): DocumentStore {
  return {
    ...createDocumentRemoval(database),

    async insert(document) {
      await database
        .insertInto('documents')
        .values({
          id: document.id,
          person_id: document.personId,
          name: document.name,
          kind: document.kind,
          media_type: document.mediaType,
          bytes: document.bytes,
          page_count: document.pageCount,
          characters: document.characters,
          digest: document.digest,
          text_digest: document.textDigest,
          state: document.state,
          stored_bytes: rowBytes,
          created_at: document.createdAt,
          removed_at: null,
          project_id: document.projectId ?? null,
          embedded_by: null,
        })
        .execute();
    },

    async find(personId, documentId) {
      const row = await database
        .selectFrom('documents')
        .selectAll()
        .where('id', '=', documentId)
        .where('person_id', '=', personId)
        .where('project_id', 'is', null)
        .where('removed_at', 'is', null)
        .executeTakeFirst();
      return row === undefined ? undefined : readDocument(row);
    },

    async countStoredBytes(personId) {
      let query = database
        .selectFrom('documents')
        .select((select) => select.fn.sum<number | string | null>('stored_bytes').as('bytes'));
      if (personId !== undefined)
        query = query.where('person_id', '=', personId).where('project_id', 'is', null);
      return Number((await query.executeTakeFirst())?.bytes ?? 0);
    },

    async addPart(documentId, number, content) {
      try {
        await database.transaction().execute(async (transaction) => {
          await transaction
            .insertInto('document_parts')
            .values({ document_id: documentId, number, content })
            .execute();
          await weigh(transaction, documentId, content.length + rowBytes);
        });
        return true;
      } catch (cause) {
        if (isUniquenessViolation(cause)) return false;
        throw cause;
      }
    },

    async addPassages(documentId, passages) {
      await database.transaction().execute(async (transaction) => {
        let bytes = 0;
        for (let first = 0; first < passages.length; first += passagesPerRead) {
          const rows = passages.slice(first, first + passagesPerRead).map(({ page, start, text }) => {
            // The index takes about as much again.
            bytes += 2 * Buffer.byteLength(text) + rowBytes;
            return { document_id: documentId, page, start, content: text };
          });
          await transaction.insertInto('document_passages').values(rows).execute();
        }
        await weigh(transaction, documentId, bytes);
      });
    },

    async *readParts(documentId) {
      for (let number = 0; ; number++) {
        const row = await reading
          .selectFrom('document_parts')
          .select('content')
          .where('document_id', '=', documentId)
          .where('number', '=', number)
          .executeTakeFirst();
        if (row === undefined) return;
        yield row.content;
      }
    },

    async *readPassages(documentId, fromPage) {
      let last = { page: fromPage, start: -1 };
      for (;;) {
        const { page, start } = last;
        const rows = await reading
          .selectFrom('document_passages')
          .select(['page', 'start', 'content as text'])
          .where('document_id', '=', documentId)
          .where((where) => where(where.refTuple('page', 'start'), '>', where.tuple(page, start)))
          .orderBy('page')
          .orderBy('start')
          .limit(passagesPerRead)
          .execute();
        const end = rows.at(-1);
        if (end === undefined) return;
        last = end;
        yield rows;
      }
    },

    async complete(documentId, facts) {
      await database
        .updateTable('documents')
        .set({
          page_count: facts.pageCount,
          digest: facts.digest,
          text_digest: facts.textDigest,
          characters: facts.characters,
          state: 'ready',
        })
        .where('id', '=', documentId)
        .execute();
    },

    async search(documentIds, wanted, limit) {
      if (documentIds.length === 0 || wanted.length === 0) return [];
      const { rows } = await words.findPassages(documentIds, wanted, limit).execute(reading);
      return rows;
    },

    async searchPieces(documentIds, pieces, limit) {
      if (documentIds.length === 0 || pieces.length === 0) return [];
      const stands = pieces.map((piece) => sql`CASE WHEN content LIKE ${`%${piece}%`} THEN 1 ELSE 0 END`);
      const { rows } = await sql<FoundPassage>`
        SELECT "documentId", page, start, text FROM (
          SELECT document_id AS "documentId", page, start, content AS text, position,
            ${sql.join(stands, sql` + `)} AS pieces
          FROM document_passages WHERE document_id IN (${sql.join(documentIds)})
          LIMIT ${sql.lit(maxLookedThrough)}
        ) AS passages
        WHERE pieces > 0 ORDER BY pieces DESC, position LIMIT ${limit}
      `.execute(reading);
      return rows;
    },
  };
}

export async function weigh(transaction: Kysely<Tables>, documentId: string, bytes: number): Promise<void> {
  await transaction
    .updateTable('documents')
    .set({ stored_bytes: sql<number>`stored_bytes + ${bytes}` })
    .where('id', '=', documentId)
    .execute();
}

export function readDocument(row: Selectable<DocumentsTable>): StoredDocument {
  return {
    id: row.id,
    personId: row.person_id,
    name: row.name,
    kind: row.kind,
    mediaType: row.media_type,
    bytes: row.bytes,
    pageCount: row.page_count,
    characters: row.characters,
    digest: row.digest,
    textDigest: row.text_digest,
    state: row.state,
    createdAt: row.created_at,
    ...(row.project_id !== null && { projectId: row.project_id }),
    ...(row.embedded_by !== null && { embeddedBy: row.embedded_by }),
  };
}
