import { sql, type RawBuilder } from 'kysely';
import type { SearchTerms } from '#vocabulary/conversation-store';
import type { WordSearch } from '../conversation-search.ts';
import { createHighlighter } from '../highlighter.ts';

/** Snippets are cut here, between two streams: less of a text is looked at than where a thread does it. */
const maxLookedAt = 20_000;

/** The index knows which words are in a text; whether they stand beside each other is seen in the text itself. */
export const postgresSearch: WordSearch = {
  matches(index, personId, search) {
    const terms = withoutZeros(search.terms);
    // Asked for apart, so that it is worked out once and not for every row.
    const query = sql`(SELECT search_query(${personId}, ${terms}::text[], ${sql.lit(search.isLastUnfinished)}))`;
    return sql`${sql.ref(`${index}.words`)} @@ ${query}`;
  },
  isSpoken(index, search) {
    const conditions = phrases(texts[index], withoutZeros(search.terms), search);
    return conditions.length === 0 ? undefined : sql`(${sql.join(conditions, sql` AND `)})`;
  },
  snippet: (text) => sql`left(${text}, ${sql.lit(maxLookedAt)})`,
  readSnippet: (found, search, length) => createHighlighter(search)(found, length),
  /** A rare word says more than a frequent one; how often a passage says it counts for little, as passages are short. */
  findPassages: (documentIds, words, limit) => sql`
    WITH wanted AS (SELECT DISTINCT words_of(term) AS word FROM unnest(${withoutZeros(words)}::text[]) AS term),
    hits AS MATERIALIZED (
      SELECT passages.position, wanted.word
      FROM document_passages AS passages
      JOIN passage_search ON passage_search.rowid = passages.position
      JOIN wanted ON passage_search.words @@ quote_literal(wanted.word)::tsquery
      WHERE passages.document_id = ANY (${documentIds}::text[])
    ),
    weights AS (SELECT word, ln(2 + (SELECT count(DISTINCT position) FROM hits) / count(*)::float8) AS weight
      FROM hits GROUP BY word),
    best AS (
      SELECT position, sum(weight) AS rank FROM hits JOIN weights USING (word)
      GROUP BY position ORDER BY rank DESC, position LIMIT ${limit}
    )
    SELECT document_id AS "documentId", page, start, content AS text
    FROM best JOIN document_passages AS passages USING (position)
    ORDER BY best.rank DESC, position`,
};

const texts = { title_search: sql`chats.title`, message_search: sql`messages.content` } as const;

function phrases(
  text: RawBuilder<unknown>,
  terms: readonly string[],
  { isLastUnfinished }: SearchTerms,
): RawBuilder<unknown>[] {
  return terms.flatMap((term, index) => {
    if (!/[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(term)) return [];
    const isOpen = isLastUnfinished && index === terms.length - 1;
    const phrase = isOpen ? sql`rtrim(spoken(${term}))` : sql`spoken(${term})`;
    return [sql`strpos(spoken(${text}), ${phrase}) > 0`];
  });
}

function withoutZeros(terms: readonly string[]): string[] {
  return terms.map((term) => term.replaceAll('\u0000', ''));
}
