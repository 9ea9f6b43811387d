import type { Kysely } from 'kysely';
import type { ConversationStore } from '#vocabulary/conversation-store';
import { createChatStore } from './chat-store.ts';
import { createConversationSearch } from './conversation-search.ts';
import { createMessageStore } from './message-store.ts';
import type { Tables } from './tables.ts';

export function createConversationStore(database: Kysely<Tables>): ConversationStore {
  return {
    ...createChatStore(database),
    ...createMessageStore(database),
    ...createConversationSearch(database),
  };
}
