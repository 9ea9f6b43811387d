import { sql } from 'kysely';
import type { SearchTerms } from '#vocabulary/conversation-store';
import type { Snippet } from '#contract/chats';
import { cutTerm } from '#contract/unspaced-text';
import type { WordSearch } from './conversation-search.ts';
import { maxLookedAt } from './highlighter.ts';
import { asToken, wantedPieces } from './text-pieces.ts';

/** Texts do not leave the thread of the database: snippets are cut there. */
export const sqliteSearch: WordSearch = {
  matches(index, personId, search) {
    const wanted = columns[index] === 'pieces' ? partsOf(search) : termsOf(search);
    const expressions = wanted.map((expression) => `${columns[index]} : ${expression}`);
    return sql`${sql.ref(index)} MATCH ${[`owner : ${quoted(personId)}`, ...expressions].join(' AND ')}`;
  },
  isSpoken: () => undefined,
  isUnspaced: (text) => sql`is_unspaced(${text})`,
  pieceEntry: (owner, text) => ({
    columns: sql`owner, pieces`,
    values: sql`${owner}, in_pieces(${text})`,
  }),
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

const columns = {
  title_search: 'title',
  message_search: 'body',
  title_piece_search: 'pieces',
  message_piece_search: 'pieces',
} as const;

/** Every term is a quoted string, in which nothing but the quote itself has a meaning. */
function termsOf({ terms, isLastUnfinished }: SearchTerms): readonly string[] {
  return terms.map((term, index) =>
    isLastUnfinished && index === terms.length - 1 ? beginning(term) : quoted(term),
  );
}

function partsOf({ terms, isLastUnfinished }: SearchTerms): readonly string[] {
  const parts = terms.flatMap(cutTerm);
  return parts.map(({ text, isUnspaced: isRun }, index) => {
    if (!isRun) return isLastUnfinished && index === parts.length - 1 ? beginning(text) : quoted(text);
    const pieces = wantedPieces(text);
    const phrase = asToken(pieces.join(' '));
    return Array.from(text).length === 1 ? beginning(phrase) : quoted(phrase);
  });
}

function beginning(term: string): string {
  return `${quoted(term)} *`;
}

function quoted(term: string): string {
  return `"${term.replaceAll('\u0000', '').replaceAll('"', '""')}"`;
}
