import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#vocabulary/clock';
import type { Chat, ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { ArchivedChat, ArchiveDesk, ChatDesk } from '#vocabulary/conversations';
import { cutText } from '#vocabulary/cut-text';
import { mintId } from '#vocabulary/ids';
import { Refusal } from '#vocabulary/refusal';
import { branchTo, newestLeafBelow } from './branch.ts';
import { writeMarkdown } from './chat-markdown.ts';
import type { PersonEvents } from './person-events.ts';

/** More chats than this one person cannot bring in from a file. */
const maxChatsPerPerson = 50_000;

export function createArchiveDesk(parts: {
  readonly store: ConversationStore;
  readonly chats: ChatDesk;
  readonly events: PersonEvents;
  readonly clock: Clock;
}): ArchiveDesk {
  const { store, chats, events, clock } = parts;

  return {
    exportChat,

    async *exportAll(personId) {
      let after: { updatedAt: number; chatId: string } | undefined;
      for (;;) {
        const page = await store.listChats(personId, { limit: 50, after, pinned: undefined });
        for (const chat of page) {
          yield toArchive(chat, await store.listMessages(chat.id));
          await nextTurn();
        }
        const last = page.at(-1);
        if (last === undefined) return;
        after = { updatedAt: last.updatedAt, chatId: last.id };
      }
    },

    async exportMarkdown(personId, chatId) {
      const { chat, messages } = await chats.read(personId, chatId);
      return { title: chat.title, text: writeMarkdown(chat, branchTo(messages, chat.activeLeafId)) };
    },

    async importChats(personId, archived) {
      const known = await store.countChats(personId);
      if (known + archived.length > maxChatsPerPerson) {
        throw new Refusal(
          'invalid_request',
          `That would be more than ${maxChatsPerPerson} chats. Delete some first.`,
        );
      }
      // All are understood before the first is written.
      const prepared = archived.map((chat) => fromArchive(personId, chat, clock.wallMs()));
      for (const { chat, messages } of prepared) {
        await store.insertChat(chat, messages);
        events.announce(personId, { type: 'chatChanged', chat });
        await nextTurn();
      }
      return prepared.map(({ chat }) => chat);
    },
  };

  async function exportChat(personId: string, chatId: string): Promise<ArchivedChat> {
    const { chat, messages } = await chats.read(personId, chatId);
    return toArchive(chat, messages);
  }
}

function toArchive(chat: Chat, messages: readonly ChatMessage[]): ArchivedChat {
  const {
    id: _id,
    personId: _personId,
    titleSource: _source,
    share: _share,
    deletedAt: _deletedAt,
    ...kept
  } = chat;
  return {
    ...kept,
    messages: messages.map(({ generationId: _generationId, ...message }) => ({
      ...message,
      state: message.state === 'running' ? ('interrupted' as const) : message.state,
    })),
  };
}

/** New ids for everything; a parent that comes later or not at all is a file that does not make sense. */
function fromArchive(personId: string, archived: ArchivedChat, now: number) {
  const newIds = new Map<string, string>();
  const messages = archived.messages.map((message): ChatMessage => {
    const parentId = message.parentId === null ? null : newIds.get(message.parentId);
    if (parentId === undefined || newIds.has(message.id)) {
      const title = JSON.stringify(cutText(archived.title, 60));
      throw new Refusal(
        'invalid_request',
        `The messages of the chat ${title} do not form a tree. Nothing was imported.`,
        {
          param: 'chats',
        },
      );
    }
    const id = mintId('message');
    newIds.set(message.id, id);
    return { ...message, id, parentId, createdAt: Math.min(message.createdAt, now), generationId: null };
  });
  const leafId = archived.activeLeafId === null ? undefined : newIds.get(archived.activeLeafId);
  const chat: Chat = {
    id: mintId('chat'),
    personId,
    title: archived.title,
    titleSource: 'person',
    model: archived.model,
    effort: archived.effort,
    systemPrompt: archived.systemPrompt,
    parameters: archived.parameters,
    isPinned: archived.isPinned,
    activeLeafId: leafId ?? newestLeafBelow(messages, null),
    share: null,
    createdAt: Math.min(archived.createdAt, now),
    updatedAt: Math.min(archived.updatedAt, now),
    deletedAt: null,
  };
  return { chat, messages };
}
