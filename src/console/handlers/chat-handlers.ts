import { cutText } from '#vocabulary/cut-text';
import type { ChatWithMessages } from '#vocabulary/conversations';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { chatRoutes } from '#contract/chats';
import { openArchive } from '../open-archive.ts';
import { readJsonBytes } from '../read-call.ts';
import { writeArchive } from '../write-archive.ts';
import { viewChat, viewSummary } from '../views.ts';

const defaultPage = 50;
const importRoute = chatRoutes['POST /console/chats/import'];

export function createChatHandlers({ conversations, clock }: ConsoleParts): HandlersOf<typeof chatRoutes> {
  const { chats, sharing, archive, generations } = conversations;

  return {
    'GET /console/chats': async ({ session, query }) => {
      const page = await chats.list(session.person.id, { ...query, limit: query.limit ?? defaultPage });
      return { chats: page.chats.map((chat) => viewSummary(chat, generations)), nextCursor: page.nextCursor };
    },

    'GET /console/chats/search': async ({ session, query }) => {
      const search = { text: query.q, cursor: query.cursor, limit: query.limit ?? defaultPage };
      const { results, nextCursor } = await chats.search(session.person.id, search);
      return {
        results: results.map((result) => ({ ...result, chat: viewSummary(result.chat, generations) })),
        nextCursor,
      };
    },

    'POST /console/chats': async ({ session, body }) =>
      viewChat(await chats.create(session.person.id, body), generations),

    'POST /console/chats/import': async ({ session, exchange }) => {
      await using opened = await openArchive(await readJsonBytes(importRoute, exchange));
      const imported = await archive.importChats(session.person.id, opened);
      return { chats: imported.map((chat) => viewSummary(chat, generations)) };
    },

    'GET /console/chats/export': async ({ session }) => ({
      fileName: `chats-${today()}.json`,
      contentType: 'application/json',
      content: writeArchive(archive.exportAll(session.person.id), clock.wallMs()),
    }),

    'GET /console/chats/:chatId': async ({ session, parameters, query }) =>
      viewPage(await chats.read(session.person.id, parameters.chatId, query.before)),

    'PATCH /console/chats/:chatId': async ({ session, parameters, body }) =>
      viewChat(await chats.change(session.person.id, parameters.chatId, body), generations),

    'DELETE /console/chats/:chatId': async ({ session, parameters }) => ({
      restorableUntil: await chats.remove(session.person.id, parameters.chatId),
    }),

    'POST /console/chats/:chatId/restore': async ({ session, parameters }) =>
      viewSummary(await chats.restore(session.person.id, parameters.chatId), generations),

    'DELETE /console/chats': ({ session }) => chats.removeAll(session.person.id),

    'POST /console/chats/restore': async ({ session, body }) => ({
      count: await chats.restoreAll(session.person.id, body.restorableUntil),
    }),

    'GET /console/chats/:chatId/export': async ({ session, parameters, query }) => {
      if (query.format === 'markdown') {
        const { title, text } = await archive.exportMarkdown(session.person.id, parameters.chatId);
        return {
          fileName: `${fileNameOf(title)}.md`,
          contentType: 'text/markdown; charset=utf-8',
          content: text,
        };
      }
      const chat = await archive.exportChat(session.person.id, parameters.chatId);
      return {
        fileName: `${fileNameOf(chat.head.title)}.json`,
        contentType: 'application/json',
        content: writeArchive([chat], clock.wallMs()),
      };
    },

    'POST /console/chats/:chatId/messages': ({ session, parameters, body }) =>
      chats.addMessage(session.person.id, parameters.chatId, body),

    'DELETE /console/chats/:chatId/messages/:messageId': ({ session, parameters }) =>
      chats.removeMessage(session.person.id, parameters.chatId, parameters.messageId),

    'POST /console/chats/:chatId/messages/:messageId/restore': async ({ session, parameters }) => {
      const { chatId, messageId } = parameters;
      return viewPage(await chats.restoreMessage(session.person.id, chatId, messageId));
    },

    'PUT /console/chats/:chatId/share': async ({ session, parameters, body }) => {
      const share = await sharing.share(session.person.id, parameters.chatId, body.leafId);
      return { shareId: share.id, sharedAt: share.sharedAt };
    },

    'DELETE /console/chats/:chatId/share': async ({ session, parameters }) => {
      await sharing.unshare(session.person.id, parameters.chatId);
      return { done: true };
    },

    'GET /console/shared': async ({ session }) => ({ links: await sharing.list(session.person.id) }),

    'GET /console/shared/:shareId': async ({ session, parameters }) => {
      const { chat, ownerName, sharedAt, messages } = await sharing.read(parameters.shareId);
      const isOwn = chat.personId === session.person.id;
      return { title: chat.title, sharedBy: ownerName, isOwn, sharedAt, messages };
    },

    'POST /console/shared/:shareId/copy': async ({ session, parameters }) =>
      viewSummary(await sharing.copy(session.person.id, parameters.shareId), generations),
  };

  function viewPage({ chat, messages, earlierCursor }: ChatWithMessages) {
    return {
      chat: viewChat(chat, generations),
      messages,
      ...(earlierCursor !== undefined && { earlierCursor }),
    };
  }

  function today(): string {
    return new Date(clock.wallMs()).toISOString().slice(0, 10);
  }
}

function fileNameOf(title: string): string {
  const name = title
    .replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return cutText(name.replace(/^\.+/, ''), 80) || 'chat';
}
