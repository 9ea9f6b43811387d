import type { Chat } from '#vocabulary/conversation';
import type { ConversationStore, MessageOutline } from '#vocabulary/conversation-store';
import type { ArchiveDesk } from '#vocabulary/conversations';
import type { ChatPlace } from '#vocabulary/spaces';
import { readSlices } from './message-pages.ts';

/** A branch of somebody's chat as a chat of one's own, with nothing of how the other one asks. */
export async function copyBranch(
  parts: { readonly store: ConversationStore; readonly archive: ArchiveDesk },
  personId: string,
  chat: Chat,
  branch: readonly MessageOutline[],
  space?: ChatPlace,
): Promise<Chat | undefined> {
  const { title, model, effort, createdAt, updatedAt } = chat;
  const head = { title, model, effort, createdAt, updatedAt, archivedAt: null, folder: null };
  const own = { systemPrompt: '', parameters: {}, isPinned: false };
  const [copy] = await parts.archive.importChats(personId, {
    count: 1,
    bytes: branch.reduce((sum, { bytes }) => sum + bytes, 0),
    chats: [
      {
        head: { ...head, ...own, activeLeafId: branch.at(-1)?.id ?? null },
        messages: readSlices(parts.store, chat.id, branch),
        space,
      },
    ],
  });
  return copy;
}
