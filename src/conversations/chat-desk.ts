import type { Clock } from '#vocabulary/clock';
import type { Chat } from '#vocabulary/conversation';
import type { ConversationStore, MessageOutline } from '#vocabulary/conversation-store';
import type { ChatDesk } from '#vocabulary/conversations';
import type { FolderDesk } from '#vocabulary/folders';
import { mintId } from '#vocabulary/ids';
import { Refusal } from '#vocabulary/refusal';
import type { AnswerRegistry } from './answer-registry.ts';
import { newestLeafBelow, subtreeOf } from './branch.ts';
import { createChatSearch } from './chat-search.ts';
import { noSuchFolder } from './folder-desk.ts';
import { readPage } from './message-pages.ts';
import { noSuchChat, noSuchMessage } from './missing.ts';
import { newMessage } from './new-message.ts';
import type { PersonEvents } from './person-events.ts';
import type { StorageQuota } from './storage-quota.ts';

/** How long a deletion can be undone. Afterwards it is done for good. */
export const undoMs = 24 * 3_600_000;

export function createChatDesk(parts: {
  readonly store: ConversationStore;
  readonly folders: FolderDesk;
  readonly quota: StorageQuota;
  readonly registry: AnswerRegistry;
  readonly events: PersonEvents;
  readonly clock: Clock;
}): ChatDesk {
  const { store, folders, quota, registry, events, clock } = parts;

  return {
    async list(personId, { cursor, limit, pinned, archived, folder }) {
      const after = cursor === undefined ? undefined : readCursor(cursor);
      const folderId = folder === 'none' ? null : folder;
      await requireFolder(personId, folderId);
      const chats = await store.listChats(personId, { limit: limit + 1, after, pinned, archived, folderId });
      const page = chats.slice(0, limit);
      const last = page.at(-1);
      return {
        chats: page,
        nextCursor: chats.length > limit && last !== undefined ? writeCursor(last) : null,
      };
    },

    search: createChatSearch(store),

    async create(personId, { title, model, effort, systemPrompt, parameters }) {
      await quota.require(personId, Buffer.byteLength(systemPrompt ?? ''));
      const now = clock.wallMs();
      const chat: Chat = {
        id: mintId('chat'),
        personId,
        title: title ?? 'New chat',
        titleSource: title === undefined ? 'placeholder' : 'person',
        model,
        effort: effort ?? null,
        systemPrompt: systemPrompt ?? '',
        parameters: parameters ?? {},
        isPinned: false,
        archivedAt: null,
        folderId: null,
        activeLeafId: null,
        share: null,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      };
      await store.insertChat(chat, []);
      events.announce(personId, { type: 'chatChanged', chat });
      return chat;
    },

    read,

    async change(personId, chatId, { title, activeLeafId, isArchived, ...rest }) {
      await requireFolder(personId, rest.folderId);
      let leafId: string | null | undefined;
      if (activeLeafId !== undefined) {
        const outline = await outlineOf(personId, chatId);
        if (!outline.some(({ id }) => id === activeLeafId)) throw noSuchMessage();
        leafId = newestLeafBelow(outline, activeLeafId);
      }
      const chat = await store.changeChat(personId, chatId, {
        ...definedOnly(rest),
        ...(title !== undefined && { title, titleSource: 'person' }),
        ...(leafId !== undefined && { activeLeafId: leafId }),
        ...(isArchived !== undefined && { archivedAt: isArchived ? clock.wallMs() : null }),
      });
      if (chat === undefined) throw noSuchChat();
      events.announce(personId, { type: 'chatChanged', chat });
      return chat;
    },

    async remove(personId, chatId) {
      const now = clock.wallMs();
      if (!(await store.deleteChat(personId, chatId, now))) throw noSuchChat();
      registry.endWhere((answer) => answer.description.chatId === chatId, 'stopped');
      events.announce(personId, { type: 'chatRemoved', chatId });
      return now + undoMs;
    },

    async removeAll(personId) {
      const now = clock.wallMs();
      const count = await store.deleteAllChats(personId, now);
      registry.endWhere(
        (answer) => answer.personId === personId && answer.description.chatId !== null,
        'stopped',
      );
      events.announce(personId, { type: 'chatsChanged' });
      return { count, restorableUntil: now + undoMs };
    },

    async restoreAll(personId, restorableUntil) {
      const isLate = restorableUntil <= clock.wallMs();
      const count = isLate ? 0 : await store.restoreChats(personId, restorableUntil - undoMs);
      if (count === 0) throw noSuchChat();
      events.announce(personId, { type: 'chatsChanged' });
      return count;
    },

    async restore(personId, chatId) {
      const chat = await store.restoreChat(personId, chatId, clock.wallMs() - undoMs);
      if (chat === undefined) throw noSuchChat();
      events.announce(personId, { type: 'chatChanged', chat });
      return chat;
    },

    async addMessage(personId, chatId, { parentId, role, content }) {
      const chat = await findChat(personId, chatId);
      const parent = parentId === null ? undefined : await store.findMessage(chatId, parentId);
      if (parentId !== null && parent === undefined) throw noSuchMessage();
      if (parent !== undefined && registry.newest(parent).state === 'running') {
        throw new Refusal(
          'conflict',
          'The answer above is still being written. Wait for it or stop it first.',
        );
      }
      await quota.require(personId, Buffer.byteLength(content));
      const now = clock.wallMs();
      const message = newMessage({
        parentId,
        role,
        content,
        createdAt: now,
        ...(role === 'assistant' && { model: chat.model }),
      });
      if (!(await store.appendMessages(chatId, [message], now))) throw noSuchChat();
      events.announce(personId, {
        type: 'chatChanged',
        chat: { ...chat, activeLeafId: message.id, updatedAt: now, archivedAt: null },
      });
      return message;
    },

    async removeMessage(personId, chatId, messageId) {
      const chat = await findChat(personId, chatId);
      const outline = await store.readOutline(chatId);
      const message = outline.find((candidate) => candidate.id === messageId);
      if (message === undefined) throw noSuchMessage();
      const doomed = subtreeOf(outline, messageId);
      const now = clock.wallMs();
      registry.endWhere((answer) => doomed.has(answer.description.messageId), 'stopped');
      await store.deleteMessages(chatId, [...doomed], now);
      let { activeLeafId } = chat;
      if (activeLeafId !== null && doomed.has(activeLeafId)) {
        const left = outline.filter((candidate) => !doomed.has(candidate.id));
        activeLeafId = newestLeafBelow(left, message.parentId);
        const changed = await store.changeChat(personId, chatId, { activeLeafId });
        if (changed !== undefined) events.announce(personId, { type: 'chatChanged', chat: changed });
      }
      return { restorableUntil: now + undoMs, activeLeafId };
    },

    async judge(personId, chatId, messageId, feedback) {
      await findChat(personId, chatId);
      if (!(await store.saveFeedback(chatId, messageId, feedback))) throw noSuchMessage();
    },

    async editSummary(personId, chatId, messageId, text) {
      await findChat(personId, chatId);
      const message = await store.findMessage(chatId, messageId);
      if (message?.summary == null) throw noSuchMessage();
      await quota.require(personId, Buffer.byteLength(text));
      const summary = { ...message.summary, text, isEdited: true };
      if (!(await store.saveSummary(chatId, messageId, summary))) throw noSuchMessage();
      events.announce(personId, { type: 'messagesAdded', chatId, messages: [{ ...message, summary }] });
      return summary;
    },

    async removeSummary(personId, chatId, messageId) {
      await findChat(personId, chatId);
      const message = await store.findMessage(chatId, messageId);
      if (message === undefined || !(await store.saveSummary(chatId, messageId, null))) throw noSuchMessage();
      const messages = [{ ...message, summary: null }];
      events.announce(personId, { type: 'messagesAdded', chatId, messages });
    },

    async restoreMessage(personId, chatId, messageId) {
      await findChat(personId, chatId);
      if (!(await store.restoreMessages(chatId, messageId, clock.wallMs() - undoMs))) throw noSuchMessage();
      const activeLeafId = newestLeafBelow(await store.readOutline(chatId), messageId);
      const chat = await store.changeChat(personId, chatId, { activeLeafId });
      if (chat === undefined) throw noSuchChat();
      events.announce(personId, { type: 'chatChanged', chat });
      return await read(personId, chatId);
    },
  };

  /** What is being written right now is taken from memory, where it is newer. */
  async function read(personId: string, chatId: string, before?: string) {
    const chat = await findChat(personId, chatId);
    const { messages, earlierCursor } = await readPage(store, chat, before);
    return { chat, messages: messages.map(registry.newest), earlierCursor };
  }

  async function outlineOf(personId: string, chatId: string): Promise<readonly MessageOutline[]> {
    await findChat(personId, chatId);
    return await store.readOutline(chatId);
  }

  async function requireFolder(personId: string, folderId: string | null | undefined): Promise<void> {
    if (folderId === null || folderId === undefined) return;
    if (!(await folders.list(personId)).some(({ id }) => id === folderId)) throw noSuchFolder();
  }

  async function findChat(personId: string, chatId: string): Promise<Chat> {
    const chat = await store.findChat(personId, chatId);
    if (chat === undefined) throw noSuchChat();
    return chat;
  }
}

function definedOnly<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}

function writeCursor(chat: Pick<Chat, 'id' | 'updatedAt'>): string {
  return `${chat.updatedAt}.${chat.id}`;
}

function readCursor(cursor: string): { updatedAt: number; chatId: string } {
  const [, moment = '', chatId = ''] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(cursor) ?? [];
  if (moment === '') {
    throw new Refusal(
      'invalid_parameter',
      'The cursor is not one that this service gave. Start from the beginning.',
      {
        param: 'cursor',
      },
    );
  }
  return { updatedAt: Number(moment), chatId };
}
