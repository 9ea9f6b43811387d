import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { cursor, done, effort, id, moment, pageLimit, title } from './fields.ts';
import { message, parameters } from './messages.ts';
import { chatArchive } from './archive.ts';

export const chatSummary = z.object({
  id,
  title: z.string(),
  /** `placeholder`: the first words, until the model has thought of a title. */
  titleSource: z.enum(['placeholder', 'model', 'person']),
  model: z.string(),
  isPinned: z.boolean(),
  /** Put away: not in the list, and found by search. */
  isArchived: z.boolean(),
  folderId: id.nullable(),
  /** The open link to this chat, if there is one. */
  shareId: id.nullable(),
  /** An answer is being written right now. */
  generationId: id.nullable(),
  createdAt: moment,
  /** The last message; the list is sorted by it, newest first. */
  updatedAt: moment,
});

const chatSettings = {
  model: z.string().max(200),
  effort: effort.nullable(),
  systemPrompt: z.string().max(100_000),
  parameters,
};

export const chat = chatSummary.extend({
  ...chatSettings,
  /** The end of the branch that was looked at last; null for a chat without messages. */
  activeLeafId: id.nullable(),
});

export const chatWithMessages = z.object({
  chat,
  /** Parents before children. Nearly always the whole tree; of a very long chat the newest, and the branch one looks at. */
  messages: z.array(message),
  /** Set when there are earlier messages: give it as `before` to get them. They may repeat some that are known. */
  earlierCursor: z.string().optional(),
});

/** A snippet in pieces, so that nobody has to trust markup. */
export const snippet = z.array(z.object({ text: z.string(), isMatch: z.boolean() }));

export const searchResult = z.object({
  chat: chatSummary,
  /** Null when only the title matched. */
  messageId: id.nullable(),
  title: snippet,
  snippet,
});

export const sharedChat = z.object({
  title: z.string(),
  sharedBy: z.string(),
  isOwn: z.boolean(),
  sharedAt: moment,
  /** One branch, first message first; of a very long one its end. */
  messages: z.array(message),
});

export const sharedLink = z.object({ shareId: id, chatId: id, title: z.string(), sharedAt: moment });

const systemAndParameters = {
  effort: chatSettings.effort.optional(),
  systemPrompt: chatSettings.systemPrompt.optional(),
  parameters: parameters.optional(),
};

export const chatRoutes = {
  /** Newest first. Pins are part of the list unless `pinned` says otherwise; archived chats are not. */
  'GET /console/chats': {
    access: 'person',
    answer: 'json',
    query: z.object({
      cursor,
      limit: pageLimit,
      pinned: z.enum(['only', 'without']).optional(),
      archived: z.enum(['only', 'with']).optional(),
      /** `none`: those in no folder. */
      folder: id.optional(),
    }),
    response: z.object({ chats: z.array(chatSummary), nextCursor: z.string().nullable() }),
    innerIds: ['folder'],
  },
  /** Words in any order; the last one may be unfinished. Quotes mean a phrase. */
  'GET /console/chats/search': {
    access: 'person',
    answer: 'json',
    query: z.object({ q: z.string().max(500), cursor, limit: pageLimit }),
    response: z.object({ results: z.array(searchResult), nextCursor: z.string().nullable() }),
    answersAtLength: true,
  },
  'POST /console/chats': {
    access: 'person',
    answer: 'json',
    bodySize: 'text',
    body: z.strictObject({ title: title.optional(), model: chatSettings.model, ...systemAndParameters }),
    response: chat,
  },
  'POST /console/chats/import': {
    access: 'person',
    answer: 'json',
    bodySize: 'archive',
    body: chatArchive,
    readsLargeBody: true,
    response: z.object({ chats: z.array(chatSummary) }),
  },
  /** All own chats in one archive. */
  'GET /console/chats/export': { access: 'person', answer: 'file', answersAtLength: true },
  'GET /console/chats/:chatId': {
    access: 'person',
    answer: 'json',
    query: z.object({ before: id.optional() }),
    response: chatWithMessages,
    answersAtLength: true,
  },
  'PATCH /console/chats/:chatId': {
    access: 'person',
    answer: 'json',
    bodySize: 'text',
    body: z.strictObject({
      title: title.optional(),
      isPinned: z.boolean().optional(),
      isArchived: z.boolean().optional(),
      folderId: id.nullable().optional(),
      /** Any message: the branch is followed down to its newest leaf. */
      activeLeafId: id.optional(),
      model: chatSettings.model.optional(),
      ...systemAndParameters,
    }),
    response: chat,
    innerIds: ['activeLeafId', 'folderId'],
  },
  /** Stops what runs in it. Can be undone until `restorableUntil`, then it is gone. */
  'DELETE /console/chats/:chatId': {
    access: 'person',
    answer: 'json',
    response: z.object({ restorableUntil: moment }),
  },
  'POST /console/chats/:chatId/restore': { access: 'person', answer: 'json', response: chatSummary },
  /** Every chat at once. Can be undone until `restorableUntil`, which names it. */
  'DELETE /console/chats': {
    access: 'person',
    answer: 'json',
    response: z.object({ count: z.number().int(), restorableUntil: moment }),
  },
  'POST /console/chats/restore': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ restorableUntil: moment }),
    response: z.object({ count: z.number().int() }),
  },
  'GET /console/chats/:chatId/export': {
    access: 'person',
    answer: 'file',
    query: z.object({ format: z.enum(['markdown', 'json']) }),
    answersAtLength: true,
  },
  /** A message without asking for an answer: a corrected answer, for example. Becomes the active leaf. */
  'POST /console/chats/:chatId/messages': {
    access: 'person',
    answer: 'json',
    bodySize: 'text',
    body: z.strictObject({
      parentId: id.nullable(),
      role: z.enum(['user', 'assistant']),
      content: z.string().max(400_000),
    }),
    response: message,
    innerIds: ['parentId'],
  },
  /** Takes everything below it along. Can be undone until `restorableUntil`. */
  'DELETE /console/chats/:chatId/messages/:messageId': {
    access: 'person',
    answer: 'json',
    response: z.object({ restorableUntil: moment, activeLeafId: id.nullable() }),
  },
  'POST /console/chats/:chatId/messages/:messageId/restore': {
    access: 'person',
    answer: 'json',
    response: chatWithMessages,
    answersAtLength: true,
  },
  /** Opens a link to the branch that ends at `leafId`; later messages are not in it. The page is `/shared/<shareId>`. */
  'PUT /console/chats/:chatId/share': {
    access: 'person',
    answer: 'json',
    body: z.strictObject({ leafId: id }),
    response: z.object({ shareId: id, sharedAt: moment }),
    innerIds: ['leafId'],
  },
  'DELETE /console/chats/:chatId/share': { access: 'person', answer: 'json', response: done },
  /** The open links of this person, newest first. */
  'GET /console/shared': {
    access: 'person',
    answer: 'json',
    response: z.object({ links: z.array(sharedLink) }),
  },
  'GET /console/shared/:shareId': {
    access: 'person',
    answer: 'json',
    response: sharedChat,
    answersAtLength: true,
    pathIsCapability: true,
  },
  /** An own copy to go on with. */
  'POST /console/shared/:shareId/copy': {
    access: 'person',
    answer: 'json',
    response: chatSummary,
    pathIsCapability: true,
  },
} as const satisfies RouteTable;

export type ChatSummary = Shape<typeof chatSummary>;
export type ChatWithMessages = Shape<typeof chatWithMessages>;
export type Snippet = Shape<typeof snippet>;
export type SharedLink = Shape<typeof sharedLink>;
export type SearchResult = Shape<typeof searchResult>;
