import type { Kysely } from 'kysely';
import type { ConversationStore } from '#vocabulary/conversation-store';
import { createChatRemoval } from './chat-removal.ts';
import { createChatStore } from './chat-store.ts';
import { createConversationSearch, type WordSearch } from './conversation-search.ts';
import type { LivingProcesses } from '#vocabulary/living-processes';
import { createMessageStore } from './message-store.ts';
import { createSearchCatchUp } from './search-catch-up.ts';
import type { Tables } from './tables.ts';

/** `reading` is beside the writer: for what may take long. */
export function createConversationStore(
  database: Kysely<Tables>,
  reading: Kysely<Tables>,
  processes: LivingProcesses,
  words: WordSearch,
): ConversationStore {
  return {
    ...createChatStore(database, processes),
    ...createChatRemoval(database),
    ...createMessageStore(database, reading, processes),
    ...createConversationSearch(reading, words),
    ...createSearchCatchUp(database, reading, words),
  };
}
