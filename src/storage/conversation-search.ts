import type { DatabaseSync } from 'node:sqlite';
import { sql, type Kysely } from 'kysely';
import type { ConversationStore, SearchTerms } from '#vocabulary/conversation-store';
import type { Snippet } from '#contract/chats';
import { readSummary, type SummaryRow, summaryColumns } from './conversation-rows.ts';
import { createHighlighter, maxLookedAt } from './highlighter.ts';
import type { Tables } from './tables.ts';

/** A search looks at no more titles and messages than this, however often its words occur. */
const maxHits = 4000;
const snippetLength = 160;

interface FoundRow extends SummaryRow {
  readonly message_id: string | null;
  readonly title_snippet: string;
  readonly message_snippet: string | null;
}

/**
 * Titles first, then messages from the newest back; each chat once, with the newest message that matches. Texts do
 * not leave the database: snippets are cut where the texts are, and only for what is shown.
 */
export function createConversationSearch(reading: Kysely<Tables>): Pick<ConversationStore, 'searchChats'> {
  return {
    async searchChats(personId, search, { skip, limit }) {
      const terms = JSON.stringify(search.terms);
      const { rows } = await sql<FoundRow>`
        WITH titled AS MATERIALIZED (
          SELECT chats.position AS chat_position
          FROM title_search JOIN chats ON chats.position = title_search.rowid
          WHERE title_search MATCH ${matchExpression(personId, 'title', search)}
            AND chats.person_id = ${personId} AND chats.deleted_at IS NULL
          ORDER BY title_search.rowid DESC LIMIT ${maxHits}
        ),
        hits AS MATERIALIZED (
          SELECT messages.position AS message_position, chats.position AS chat_position
          FROM message_search
          JOIN messages ON messages.position = message_search.rowid
          JOIN chats ON chats.id = messages.chat_id
          WHERE message_search MATCH ${matchExpression(personId, 'body', search)}
            AND chats.person_id = ${personId} AND chats.deleted_at IS NULL AND messages.deleted_at IS NULL
          ORDER BY message_search.rowid DESC LIMIT ${maxHits}
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
          highlight_words(chats.title, ${terms}, length(chats.title)) AS title_snippet,
          highlight_words(substr(messages.content, 1, ${maxLookedAt}), ${terms}, ${snippetLength}) AS message_snippet
        FROM page
        JOIN chats ON chats.position = page.chat_position
        LEFT JOIN messages ON messages.position = page.message_position
        ORDER BY page.is_titled DESC, page.place DESC
      `.execute(reading);
      return rows.map((row) => ({
        chat: readSummary(row),
        messageId: row.message_id,
        title: JSON.parse(row.title_snippet) as Snippet,
        snippet: row.message_snippet === null ? [] : (JSON.parse(row.message_snippet) as Snippet),
      }));
    },
  };
}

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
