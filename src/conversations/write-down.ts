import type { Chat, ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { GenerationAsk } from '#vocabulary/conversations';
import { mintId } from '#vocabulary/ids';
import { noSuchChat } from './missing.ts';
import { firstWords } from './new-message.ts';

/** A question and the place of its answer, in the chat that there is or in a new one. */
export async function writeDown(
  store: ConversationStore,
  ask: GenerationAsk,
  existing: Chat | undefined,
  /** Where a new chat begins. */
  projectId: string | undefined,
  messages: readonly ChatMessage[],
  now: number,
): Promise<Chat> {
  const leafId = messages.at(-1)?.id ?? null;
  if (existing === undefined) {
    const chat: Chat = {
      id: mintId('chat'),
      personId: ask.personId,
      title: firstWords(messages[0]?.content ?? ''),
      titleSource: 'placeholder',
      model: ask.model,
      effort: ask.effort ?? null,
      systemPrompt: ask.systemPrompt ?? '',
      parameters: ask.parameters ?? {},
      isPinned: false,
      activeLeafId: leafId,
      share: null,
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
      folderId: null,
      deletedAt: null,
    };
    const place = projectId === undefined ? undefined : { projectId, isInside: true, sharedAt: undefined };
    await store.insertChat(chat, messages, place);
    return chat;
  }
  if (!(await store.appendMessages(existing.id, messages, now))) throw noSuchChat();
  const isNamed = existing.titleSource !== 'placeholder' || existing.activeLeafId !== null;
  const chat = await store.changeChat(ask.personId, existing.id, {
    model: ask.model,
    ...(ask.effort !== undefined && { effort: ask.effort }),
    ...(ask.systemPrompt !== undefined && { systemPrompt: ask.systemPrompt }),
    ...(ask.parameters !== undefined && { parameters: ask.parameters }),
    ...(!isNamed && { title: firstWords(messages[0]?.content ?? '') }),
  });
  if (chat === undefined) throw noSuchChat();
  return chat;
}
