import type { Clock } from '#vocabulary/clock';
import type { Chat, ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { ArchivedChat, ArchiveDesk } from '#vocabulary/conversations';
import type { FolderDesk } from '#vocabulary/folders';
import { mintId } from '#vocabulary/ids';
import { Refusal } from '#vocabulary/refusal';
import { branchTo, newestLeafBelow } from './branch.ts';
import { createChatArchive } from './chat-archive.ts';
import { writeMarkdown } from './chat-markdown.ts';
import { createFolderPlaces, type FolderPlaces } from './folder-places.ts';
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
  const { store, folders, quota, events, clock } = parts;

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
      const imported: Chat[] = [];
      const places = createFolderPlaces(personId, folders);
      for await (const archived of archive.chats) imported.push(await importChat(personId, archived, places));
      return imported;
    },
  };

  async function findChat(personId: string, chatId: string): Promise<Chat> {
    const chat = await store.findChat(personId, chatId);
    if (chat === undefined) throw noSuchChat();
    return chat;
  }

  /**
   * New ids for everything. Written down a little at a time, and deleted until it is complete: whoever writes
   * meanwhile does not wait for all of it, and what is given up half way goes the way of all deleted chats.
   */
  async function importChat(
    personId: string,
    { head: { folder, ...head }, messages }: ArchivedChat,
    places: FolderPlaces,
  ): Promise<Chat> {
    const now = clock.wallMs();
    const chat: Chat = {
      ...head,
      id: mintId('chat'),
      personId,
      titleSource: 'person',
      activeLeafId: null,
      archivedAt: head.archivedAt === null ? null : Math.min(head.archivedAt, now),
      folderId: null,
      share: null,
      createdAt: Math.min(head.createdAt, now),
      updatedAt: Math.min(head.updatedAt, now),
      deletedAt: now,
    };
    await store.insertChat(chat, []);
    const newIds = new Map<string, string>();
    const tree: { id: string; parentId: string | null }[] = [];
    for await (const slice of messages) {
      const added = slice.map((message): ChatMessage => {
        const id = mintId('message');
        const parentId = message.parentId === null ? null : (newIds.get(message.parentId) ?? null);
        newIds.set(message.id, id);
        tree.push({ id, parentId });
        return {
          ...message,
          id,
          parentId,
          createdAt: Math.min(message.createdAt, now),
          generationId: null,
          // Documents belong to whoever brought them.
          documents: [],
          requestIds: [],
          feedback: null,
          context: null,
          // Receipts belong to whoever asked.
          summary: message.summary && { ...message.summary, requestIds: [] },
        };
      });
      await store.addMessages(chat.id, added);
    }
    const leafId = head.activeLeafId === null ? undefined : newIds.get(head.activeLeafId);
    await store.restoreChat(personId, chat.id, now - 1);
    const activeLeafId = leafId ?? newestLeafBelow(tree, null);
    const folderId = await places.find(folder);
    const imported = await store.changeChat(personId, chat.id, { activeLeafId, folderId });
    if (imported === undefined) throw noSuchChat();
    events.announce(personId, { type: 'chatChanged', chat: imported });
    return imported;
  }
}
