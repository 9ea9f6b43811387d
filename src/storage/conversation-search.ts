import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { ConversationStore, SearchTerms } from '#vocabulary/conversation-store';
import type { FoundPassage } from '#vocabulary/documents';
import type { Snippet } from '#contract/chats';
import { isUnspaced } from '#contract/unspaced-text';
import { readSummary, type SummaryRow, summaryColumns } from './conversation-rows.ts';
import type { Tables } from './tables.ts';

/** A search looks at no more titles and messages than this, however often its words occur. */
const maxHits = 2000;
const newestHits = sql`LIMIT ${sql.lit(maxHits)}`;
const snippetLength = 160;

interface FoundRow extends SummaryRow {
  readonly message_id: string | null;
  readonly title_snippet: string;
  readonly message_snippet: string | null;
}

type WordIndex = 'title_search' | 'message_search';
type PieceIndex = 'title_piece_search' | 'message_piece_search';

/** How a database finds words, and who cuts the snippets. */
export interface WordSearch {
  /** A condition on the index. */
  matches(index: WordIndex | PieceIndex, personId: string, search: SearchTerms): RawBuilder<boolean>;
  /** What the index cannot tell: a condition on `chats` or `messages`; undefined when there is nothing more to ask. */
  isSpoken(index: WordIndex, search: SearchTerms): RawBuilder<boolean> | undefined;
  /** Whether a text belongs into a piece index too. */
  isUnspaced(text: RawBuilder<string>): RawBuilder<boolean | number>;
  /** What a piece index holds of a text, beside its `rowid`. */
  pieceEntry(
    owner: RawBuilder<unknown>,
    text: RawBuilder<string>,
  ): { readonly columns: RawBuilder<unknown>; readonly values: RawBuilder<unknown> };
  /** What is read of a text. */
  snippet(
    text: RawBuilder<string>,
    search: SearchTerms,
    length: RawBuilder<number>,
  ): RawBuilder<string | null>;
  /** Makes a snippet of what was read. */
  readSnippet(found: string, search: SearchTerms, length: number): Snippet;
  /** The passages of some documents that say most about any of these words, the best first. Neither list is empty. */
  findPassages(
    documentIds: readonly string[],
    words: readonly string[],
    limit: number,
  ): RawBuilder<FoundPassage>;
}

/**
 * Titles first, then messages from the newest back; each chat once, with the newest message that matches. Texts do
 * not leave the database: snippets are cut where the texts are, and only for what is shown. The newest hits are taken
 * from the index alone, so that a frequent word costs no more than a rare one.
 */
export function createConversationSearch(
  reading: Kysely<Tables>,
  words: WordSearch,
): Pick<ConversationStore, 'searchChats'> {
  return {
    async searchChats(personId, search, { skip, limit }) {
      const isInTitle = words.isSpoken('title_search', search);
      const isInMessage = words.isSpoken('message_search', search);
      const isInPieces = search.terms.some(isUnspaced);
      const placesIn = ([whole, pieces]: readonly [WordIndex, PieceIndex], isBounded: boolean) => {
        const indexes = isInPieces ? [pieces] : [whole, pieces];
        const end = isBounded ? newestHits : sql``;
        const places = indexes.map(
          (index) => sql`
            SELECT place FROM (
              SELECT rowid AS place FROM ${sql.ref(index)} WHERE ${words.matches(index, personId, search)}
              ORDER BY rowid DESC ${end}
            ) AS ${sql.ref(`in_${index}`)}`,
        );
        return sql`${sql.join(places, sql` UNION `)} ORDER BY place DESC ${end}`;
      };
      const { rows } = await sql<FoundRow>`
        WITH named AS MATERIALIZED (${placesIn(['title_search', 'title_piece_search'], isInTitle === undefined)}),
        titled AS MATERIALIZED (
          SELECT chats.position AS chat_position
          FROM named JOIN chats ON chats.position = named.place
          WHERE chats.person_id = ${personId} AND chats.deleted_at IS NULL AND ${isInTitle ?? sql`TRUE`}
          ORDER BY named.place DESC ${newestHits}
        ),
        said AS MATERIALIZED (
          ${placesIn(['message_search', 'message_piece_search'], isInMessage === undefined)}
        ),
        hits AS MATERIALIZED (
          SELECT messages.position AS message_position, chats.position AS chat_position
          FROM said
          JOIN messages ON messages.position = said.place
          JOIN chats ON chats.id = messages.chat_id
          WHERE chats.person_id = ${personId} AND chats.deleted_at IS NULL AND messages.deleted_at IS NULL
            AND ${isInMessage ?? sql`TRUE`}
          ORDER BY said.place DESC ${newestHits}
        ),
        newest AS (
          SELECT chat_position, max(message_position) AS message_position FROM hits GROUP BY chat_position
        ),
        found AS (
          SELECT chat_position, message_position, 1 AS is_titled, chat_position AS place
          FROM titled LEFT JOIN newest USING (chat_position)
          UNION ALL
          SELECT chat_position, message_position, 0, message_position
          FROM newest WHERE chat_position NOT IN (SELECT chat_position FROM titled)
        ),
        page AS MATERIALIZED (
          SELECT * FROM found ORDER BY is_titled DESC, place DESC LIMIT ${limit} OFFSET ${skip}
        )
        SELECT ${sql.join(summaryColumns.map((column) => sql.ref(`chats.${column}`)))},
          messages.id AS message_id,
          ${words.snippet(sql`chats.title`, search, sql`length(chats.title)`)} AS title_snippet,
          ${words.snippet(sql`messages.content`, search, sql.lit(snippetLength))} AS message_snippet
        FROM page
        JOIN chats ON chats.position = page.chat_position
        LEFT JOIN messages ON messages.position = page.message_position
        ORDER BY page.is_titled DESC, page.place DESC
      `.execute(reading);
      return rows.map((row) => ({
        chat: readSummary(row),
        messageId: row.message_id,
        title: words.readSnippet(row.title_snippet, search, row.title.length),
        snippet:
          row.message_snippet === null ? [] : words.readSnippet(row.message_snippet, search, snippetLength),
      }));
    },
  };
}
