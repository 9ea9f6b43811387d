import { sql, type Kysely } from 'kysely';
import type { FoundPassage } from '#vocabulary/documents';
import type { Tables } from './tables.ts';

/** Every word is a quoted string, in which nothing but the quote itself has a meaning. */
export async function searchPassages(
  reading: Kysely<Tables>,
  documentIds: readonly string[],
  words: readonly string[],
  limit: number,
): Promise<readonly FoundPassage[]> {
  if (documentIds.length === 0 || words.length === 0) return [];
  const anyOf = (column: string, terms: readonly string[]) =>
    `${column} : (${terms.map(quoted).join(' OR ')})`;
  const expression = `${anyOf('document', documentIds)} AND ${anyOf('body', words)}`;
  const { rows } = await sql<FoundPassage>`
    WITH found AS MATERIALIZED (
      SELECT rowid AS position, bm25(passage_search, 0.0, 1.0) AS rank FROM passage_search
      WHERE passage_search MATCH ${expression} ORDER BY rank LIMIT ${limit}
    )
    SELECT document_id AS "documentId", page, start, content AS text
    FROM found JOIN document_passages AS passages ON passages.position = found.position
    ORDER BY found.rank
  `.execute(reading);
  return rows;
}

function quoted(term: string): string {
  return `"${term.replaceAll('\u0000', '').replaceAll('"', '""')}"`;
}
