import type { Kysely } from 'kysely';
import type { ConversationStore, SearchTerms } from '#vocabulary/conversation-store';
import { readChat } from './conversation-rows.ts';
import type { Tables } from './tables.ts';

type ConversationSearch = Pick<ConversationStore, 'searchTitles' | 'searchMessages'>;

/** Both searches stop after `limit` hits, in the order of the index: the work is bounded, whatever is asked. */
export function createConversationSearch(database: Kysely<Tables>): ConversationSearch {
  return {
    async searchTitles(personId, search, limit) {
      const rows = await database
        .selectFrom('title_search')
        .innerJoin('chats', 'chats.position', 'title_search.rowid')
        .selectAll('chats')
        .where('title_search.title_search', 'match', matchExpression(personId, 'title', search))
        .where('chats.person_id', '=', personId)
        .where('chats.deleted_at', 'is', null)
        .orderBy('title_search.rowid', 'desc')
        .limit(limit)
        .execute();
      return rows.map(readChat);
    },

    async searchMessages(personId, search, limit, before = Number.MAX_SAFE_INTEGER) {
      const rows = await database
        .selectFrom('message_search')
        .innerJoin('messages', 'messages.position', 'message_search.rowid')
        .innerJoin('chats', 'chats.id', 'messages.chat_id')
        .selectAll('chats')
        .select([
          'messages.id as message_id',
          'messages.content as body',
          'messages.position as hit_position',
        ])
        .where('message_search.message_search', 'match', matchExpression(personId, 'body', search))
        .where('message_search.rowid', '<', before)
        .where('chats.person_id', '=', personId)
        .where('chats.deleted_at', 'is', null)
        .where('messages.deleted_at', 'is', null)
        .orderBy('message_search.rowid', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        chat: readChat(row),
        messageId: row.message_id,
        content: row.body,
        position: row.hit_position,
      }));
    },
  };
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
