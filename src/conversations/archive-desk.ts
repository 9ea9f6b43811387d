import type { Clock } from '#vocabulary/clock';
import type { Chat, ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { ArchiveDesk } from '#vocabulary/conversations';
import type { FolderDesk } from '#vocabulary/folders';
import { Refusal } from '#vocabulary/refusal';
import { branchTo } from './branch.ts';
import { createChatArchive } from './chat-archive.ts';
import { writeMarkdown } from './chat-markdown.ts';
import { importChats } from './import-chats.ts';
import { readSlices } from './message-pages.ts';
import { noSuchChat } from './missing.ts';
import type { PersonEvents } from './person-events.ts';
import type { StorageQuota } from './storage-quota.ts';

/** More chats than this one person cannot bring in from a file. */
const maxChatsPerPerson = 50_000;

export function createArchiveDesk(parts: {
  readonly store: ConversationStore;
  readonly folders: FolderDesk;
  readonly quota: StorageQuota;
  /** The message as it stands, also while it is being written. */
  readonly newest: (message: ChatMessage) => ChatMessage;
  readonly events: PersonEvents;
  readonly clock: Clock;
}): ArchiveDesk {
  const { store, quota } = parts;

  return {
    ...createChatArchive(parts),

    async exportMarkdown(personId, chatId) {
      const chat = await findChat(personId, chatId);
      const branch = branchTo(await store.readOutline(chatId), chat.activeLeafId);
      return { title: chat.title, text: writeMarkdown(chat, readSlices(store, chatId, branch)) };
    },

    async importChats(personId, archive) {
      if ((await store.countChats(personId)) + archive.count > maxChatsPerPerson) {
        throw new Refusal(
          'invalid_request',
          `That would be more than ${maxChatsPerPerson} chats. Delete some first.`,
        );
      }
      await quota.require(personId, archive.bytes);
      return await importChats(parts, personId, archive);
    },
  };

  async function findChat(personId: string, chatId: string): Promise<Chat> {
    const chat = await store.findChat(personId, chatId);
    if (chat === undefined) throw noSuchChat();
    return chat;
  }
}
