import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { SearchTerms } from '#vocabulary/conversation-store';
import type { Snippet } from '#contract/chats';
import type { WordSearch } from './conversation-search.ts';
import { createHighlighter, maxLookedAt } from './highlighter.ts';

/** Texts do not leave the thread of the database: snippets are cut there. */
export const sqliteSearch: WordSearch = {
  matches: (index, personId, search) =>
    sql`${sql.ref(index)} MATCH ${matchExpression(personId, columns[index], search)}`,
  isSpoken: () => undefined,
  snippet: (text, { terms }, length) =>
    sql`highlight_words(substr(${text}, 1, ${maxLookedAt}), ${JSON.stringify(terms)}, ${length})`,
  readSnippet: (found) => JSON.parse(found) as Snippet,
  findPassages(documentIds, words, limit) {
    const anyOf = (column: string, terms: readonly string[]) =>
      `${column} : (${terms.map(quoted).join(' OR ')})`;
    return sql`
      WITH found AS MATERIALIZED (
        SELECT rowid AS position, bm25(passage_search, 0.0, 1.0) AS rank FROM passage_search
        WHERE passage_search MATCH ${`${anyOf('document', documentIds)} AND ${anyOf('body', words)}`}
        ORDER BY rank LIMIT ${limit}
      )
      SELECT document_id AS "documentId", page, start, content AS text
      FROM found JOIN document_passages AS passages ON passages.position = found.position
      ORDER BY found.rank`;
  },
};

const columns = { title_search: 'title', message_search: 'body' } as const;

/** `highlight_words(text, terms, length)`: a snippet as JSON; null of a text that is null. */
export function addSearchFunctions(database: DatabaseSync): void {
  database.function('highlight_words', { deterministic: true }, (text, terms, length) => {
    if (typeof text !== 'string') return null;
    const highlight = createHighlighter({ terms: JSON.parse(String(terms)) as string[] });
    return JSON.stringify(highlight(text, Number(length)));
  });
}

/** Every term is a quoted string, in which nothing but the quote itself has a meaning. */
function matchExpression(personId: string, column: string, { terms, isLastUnfinished }: SearchTerms): string {
  const words = terms.map((term, index) => {
    const isOpen = isLastUnfinished && index === terms.length - 1;
    return `${column} : ${quoted(term)}${isOpen ? ' *' : ''}`;
  });
  return [`owner : ${quoted(personId)}`, ...words].join(' AND ');
}

function quoted(term: string): string {
  return `"${term.replaceAll('\u0000', '').replaceAll('"', '""')}"`;
}
