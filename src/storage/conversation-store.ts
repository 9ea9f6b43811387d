import type { Kysely } from 'kysely';
import type { ConversationStore } from '#vocabulary/conversation-store';
import { createChatStore } from './chat-store.ts';
import { createConversationSearch } from './conversation-search.ts';
import { createMessageStore } from './message-store.ts';
import type { Tables } from './tables.ts';

/** `reading` is beside the writer: for what may take long. */
export function createConversationStore(
  database: Kysely<Tables>,
  reading: Kysely<Tables>,
): ConversationStore {
  return {
    ...createChatStore(database),
    ...createMessageStore(database),
    ...createConversationSearch(reading),
  };
}
