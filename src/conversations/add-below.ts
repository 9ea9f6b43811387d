import type { ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore } from '#vocabulary/conversation-store';

/**
 * Adds what the service itself wrote below a message. Whoever looks at that message looks at the new end; whoever
 * has gone to another branch stays there. False when the chat is gone.
 */
export async function addBelow(
  store: ConversationStore,
  personId: string,
  chatId: string,
  parentId: string,
  messages: readonly ChatMessage[],
  now: number,
): Promise<boolean> {
  const chat = await store.findChat(personId, chatId);
  if (chat === undefined) return false;
  if (chat.activeLeafId === parentId) return await store.appendMessages(chatId, messages, now);
  await store.addMessages(chatId, messages);
  return true;
}
