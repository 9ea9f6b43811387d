import { sql, type RawBuilder } from 'kysely';
import type { SearchTerms } from '#vocabulary/conversation-store';
import { cutTerm, type TermPart } from '#contract/unspaced-text';
import type { WordSearch } from '../conversation-search.ts';
import { createHighlighter } from '../highlighter.ts';
import { wantedPieces } from '../text-pieces.ts';

/** Snippets are cut here, between two streams: less of a text is looked at than where a thread does it. */
const maxLookedAt = 20_000;

/** What is read before the first place where such a text was found. */
const readBefore = 1000;

/** The index knows which words are in a text; whether they stand beside each other is seen in the text itself. */
export const postgresSearch: WordSearch = {
  matches(index, personId, search) {
    const words = sql.ref(`${index}.words`);
    const { isLastUnfinished } = search;
    if (index === 'title_search' || index === 'message_search')
      return sql`${words} @@ ${wordQuery(personId, withoutZeros(search.terms), isLastUnfinished)}`;
    const parts = withoutZeros(search.terms).flatMap(cutTerm);
    const runs = parts.filter(({ isUnspaced }) => isUnspaced);
    const spaced = parts.filter(({ isUnspaced }) => !isUnspaced).map(({ text }) => text);
    const isOpen = isLastUnfinished && parts.at(-1)?.isUnspaced === false;
    const pieces = runs.flatMap(({ text }) => wantedPieces(text));
    const conditions = [
      ...(spaced.length > 0 ? [sql`${words} @@ ${wordQuery(personId, spaced, isOpen)}`] : []),
      ...(pieces.length > 0 ? [sql`${words} @@ (SELECT piece_query(${personId}, ${pieces}::text[]))`] : []),
    ];
    return sql`(${sql.join(conditions, sql` AND `)})`;
  },
  isSpoken(index, search) {
    const conditions = phrases(texts[index], withoutZeros(search.terms), search);
    return conditions.length === 0 ? undefined : sql`(${sql.join(conditions, sql` AND `)})`;
  },
  isUnspaced: (text) => sql`is_unspaced(${text})`,
  pieceEntry: (owner, text) => ({ columns: sql`words`, values: sql`piece_entry(${owner}, ${text})` }),
  snippet(text, search) {
    const run = search.terms.flatMap(cutTerm).find(({ isUnspaced }) => isUnspaced)?.text;
    const from =
      run === undefined ? sql`1` : sql`greatest(1, strpos(${text}, ${run}) - ${sql.lit(readBefore)})`;
    return sql`substr(${text}, ${from}, ${sql.lit(maxLookedAt)})`;
  },
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

/** Asked for apart, so that it is worked out once and not for every row. */
function wordQuery(
  personId: string,
  terms: readonly string[],
  isLastUnfinished: boolean,
): RawBuilder<unknown> {
  return sql`(SELECT search_query(${personId}, ${terms}::text[], ${sql.lit(isLastUnfinished)}))`;
}

function phrases(
  text: RawBuilder<unknown>,
  terms: readonly string[],
  { isLastUnfinished }: SearchTerms,
): RawBuilder<unknown>[] {
  return terms.flatMap((term, index) => {
    const runs = cutTerm(term).filter(({ isUnspaced }) => isUnspaced);
    if (runs.length > 0) return runs.filter(isLong).map((run) => sql`strpos(${text}, ${run.text}) > 0`);
    if (!/[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(term)) return [];
    const isOpen = isLastUnfinished && index === terms.length - 1;
    const phrase = isOpen ? sql`rtrim(spoken(${term}))` : sql`spoken(${term})`;
    return [sql`strpos(spoken(apart(${text})), ${phrase}) > 0`];
  });
}

/** Of two letters the index knows it all. */
function isLong({ text }: TermPart): boolean {
  return wantedPieces(text).length > 1;
}

function withoutZeros(terms: readonly string[]): string[] {
  return terms.map((term) => term.replaceAll('\u0000', ''));
}
