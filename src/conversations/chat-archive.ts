import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chat, ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { ArchivedChat, ArchivedMessage, ArchiveDesk } from '#vocabulary/conversations';
import type { ChatFolder, FolderStore } from '#vocabulary/folders';
import { readSlices } from './message-pages.ts';
import { noSuchChat } from './missing.ts';

/** Chats as they can be taken elsewhere: without ids that mean something here, and without what belongs to others. */
export function createChatArchive(parts: {
  readonly store: ConversationStore;
  readonly folders: Pick<FolderStore, 'list'>;
  /** The message as it stands, also while it is being written. */
  readonly newest: (message: ChatMessage) => ChatMessage;
}): Pick<ArchiveDesk, 'exportChat' | 'exportAll'> {
  const { store, folders, newest } = parts;

  return {
    async exportChat(personId, chatId) {
      const chat = await store.findChat(personId, chatId);
      if (chat === undefined) throw noSuchChat();
      return toArchive(chat, await folders.list(personId));
    },

    async *exportAll(personId) {
      const known = await folders.list(personId);
      let after: { updatedAt: number; chatId: string } | undefined;
      for (;;) {
        const page = await store.listChats(personId, {
          limit: 50,
          after,
          pinned: undefined,
          archived: 'with',
        });
        for (const { id } of page) {
          const chat = await store.findChat(personId, id);
          if (chat !== undefined) yield toArchive(chat, known);
          await nextTurn();
        }
        const last = page.at(-1);
        if (last === undefined) return;
        after = { updatedAt: last.updatedAt, chatId: last.id };
      }
    },
  };

  function toArchive(chat: Chat, known: readonly ChatFolder[]): ArchivedChat {
    const { id, personId: _person, titleSource: _source, share: _share, deletedAt: _deleted, ...rest } = chat;
    const { folderId, ...head } = rest;
    const folder = known.find((candidate) => candidate.id === folderId)?.name ?? null;
    return { head: { ...head, folder }, messages: archivedMessages(id) };
  }

  async function* archivedMessages(chatId: string): AsyncIterable<readonly ArchivedMessage[]> {
    for await (const slice of readSlices(store, chatId, await store.readOutline(chatId))) {
      yield slice
        .map(newest)
        .map(({ generationId: _generation, documents: _documents, requestIds: _requests, ...rest }) => rest)
        .map(({ context: _context, feedback: _feedback, ...message }) => ({
          ...message,
          state: message.state === 'running' ? ('interrupted' as const) : message.state,
        }));
    }
  }
}
