import { z } from 'zod';
import type { Shape } from './shape.ts';
import type { RouteTable } from './route.ts';
import { sentContext } from './context.ts';
import { maxDocumentsPerMessage } from './document-limits.ts';
import { done, effort, id, moment } from './fields.ts';
import {
  message,
  messageError,
  messageState,
  newMessage,
  parameters,
  timings,
  tokenUsage,
  toolCall,
  toolUse,
} from './messages.ts';
import { chat, chatSummary } from './chats.ts';
import { folder } from './folders.ts';

/**
 * A generation is an answer being written. It belongs to the server: pages come and go, it goes on until it
 * ends or is stopped. While it runs its message has state `running`; afterwards the message is all there is.
 */

export const generation = z.object({
  id,
  /** Null for a temporary chat. */
  chatId: id.nullable(),
  /** The answer; for a temporary chat an id that is stored nowhere. */
  messageId: id,
  model: z.string(),
  startedAt: moment,
});

const howToAnswer = {
  model: z.string().max(200),
  effort: effort.nullable().optional(),
  systemPrompt: z.string().max(100_000).optional(),
  parameters: parameters.optional(),
};

export const startGeneration = z.strictObject({
  /** Null makes a new chat. */
  chatId: id.nullable(),
  /** What the first new message, or the answer, follows; null at the top of the tree. */
  parentId: id.nullable(),
  /** A chain below `parentId`. None: a new answer to `parentId` (regenerate). An edit hangs below the parent of what it replaces. */
  newMessages: z.array(newMessage).max(32),
  /** For a new chat: the project in whose space it begins. Later questions are asked there too. */
  projectId: id.optional(),
  /** Made by the page, one per click: asking twice with the same key starts one generation. */
  requestKey: z.string().min(8).max(64),
  /** For this answer alone; to have an answer again. */
  seed: parameters.shape.seed,
  ...howToAnswer,
});

export const continueGeneration = z.strictObject({
  chatId: id,
  /** An answer that was cut, stopped or interrupted, at the end of its branch. */
  messageId: id,
  requestKey: z.string().min(8).max(64),
});

/** A message of a conversation that only the page keeps. */
const temporaryMessage = z.strictObject({
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.string().max(400_000),
  toolCalls: z.array(toolCall).max(128).default([]),
  toolCallId: z.string().max(200).nullable().default(null),
});

export const startTemporaryGeneration = z.strictObject({
  messages: z.array(temporaryMessage).min(1).max(2000),
  requestKey: z.string().min(8).max(64),
  ...howToAnswer,
});

/**
 * What happens to one generation. The first event somebody gets is `snapshot`, or what follows the last one they
 * have seen; the deltas continue exactly there. `ended` is always last.
 */
export const generationEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    message,
    phase: z.enum(['waiting', 'summarising', 'thinking', 'answering']),
  }),
  /** Its place in the line, from 1, and how long that should take; null while nobody can tell. */
  z.object({ type: z.literal('waiting'), place: z.number().int(), seconds: z.number().nullable() }),
  /** The oldest messages are summarised before it begins; then `context` says what goes along. */
  z.object({ type: z.literal('summarising') }),
  z.object({ type: z.literal('context'), context: sentContext }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({ type: z.literal('content'), text: z.string() }),
  /** `id` and `name` come with the first piece of a call; pieces of `argumentsText` are appended. */
  z.object({
    type: z.literal('toolCall'),
    index: z.number().int(),
    id: z.string().optional(),
    name: z.string().optional(),
    argumentsText: z.string(),
  }),
  /** For a message of role `tool`: what became of the call so far. */
  z.object({ type: z.literal('toolUse'), tool: toolUse }),
  z.object({
    type: z.literal('ended'),
    state: messageState.exclude(['running']),
    finishReason: z.string().nullable(),
    error: messageError.nullable(),
    usage: tokenUsage.nullable(),
    timings: timings.nullable(),
  }),
]);

/**
 * Everything a page hears, over one stream for all windows of a browser, because browsers open few connections to
 * one host: what happens to this person's chats in any window, and every answer being written. Server-sent events:
 * `event` is the type, `data` this object; an event `beat` comes while nothing else does.
 */
export const personEvent = z.discriminatedUnion('type', [
  /** First. What happened to chats before it is not told: after a gap, read the lists again. */
  z.object({ type: z.literal('hello'), generations: z.array(generation) }),
  z.object({
    type: z.literal('answer'),
    generationId: id,
    sequence: z.number().int(),
    event: generationEvent,
  }),
  z.object({ type: z.literal('chatChanged'), chat: chatSummary }),
  z.object({ type: z.literal('chatRemoved'), chatId: id }),
  /** Many chats at once came, went or came back: read the lists again. */
  z.object({ type: z.literal('chatsChanged') }),
  z.object({ type: z.literal('foldersChanged'), folders: z.array(folder) }),
  /** Written by the service itself: calls of tools and what follows them. */
  z.object({ type: z.literal('messagesAdded'), chatId: id, messages: z.array(message) }),
  /** Something in the space of a project is different: read it anew. */
  z.object({ type: z.literal('spaceChanged'), projectId: id }),
  /** Not a member any more: forget what was read of it. */
  z.object({ type: z.literal('spaceLeft'), projectId: id }),
  z.object({ type: z.literal('generationStarted'), generation }),
  z.object({ type: z.literal('generationEnded'), generation, state: messageState }),
  /** The session is over: signed out elsewhere, expired or disabled. */
  z.object({ type: z.literal('sessionEnded') }),
]);

export const previewContext = z.strictObject({
  chatId: id.nullable(),
  parentId: id.nullable(),
  /** For a new chat: the project in whose space it would begin. */
  projectId: id.optional(),
  /** The question as far as it is written. */
  content: z.string().max(400_000),
  documents: z.array(id).max(maxDocumentsPerMessage).optional(),
  model: howToAnswer.model,
  systemPrompt: howToAnswer.systemPrompt,
  parameters: howToAnswer.parameters,
});

export const generationRoutes = {
  /** What the model would be given for a question. Nothing is sent or stored. */
  'POST /console/context': {
    access: 'person',
    answer: 'json',
    bodySize: 'text',
    body: previewContext,
    response: sentContext,
    innerIds: ['chatId', 'parentId', 'projectId'],
    answersAtLength: true,
  },
  'POST /console/generations': {
    access: 'person',
    answer: 'json',
    bodySize: 'conversation',
    body: startGeneration,
    response: z.object({
      generation,
      chat,
      /** The new messages and, last, the running answer. */
      messages: z.array(message),
    }),
    innerIds: ['chatId', 'parentId', 'projectId'],
  },
  /** The same message grows on. */
  'POST /console/generations/continue': {
    access: 'person',
    answer: 'json',
    body: continueGeneration,
    response: z.object({ generation, chat, messages: z.array(message) }),
    innerIds: ['chatId', 'messageId'],
  },
  /** Nothing of it is stored; the page sends the whole conversation each time. */
  'POST /console/generations/temporary': {
    access: 'person',
    answer: 'json',
    bodySize: 'conversation',
    body: startTemporaryGeneration,
    response: z.object({ generation, message }),
  },
  /** Those that run now. */
  'GET /console/generations': {
    access: 'person',
    answer: 'json',
    response: z.object({ generations: z.array(generation) }),
  },
  'POST /console/generations/:generationId/stop': { access: 'person', answer: 'json', response: done },
  /**
   * `after` names answers and the last sequence number seen of each, `<generationId>:<sequence>` with commas between:
   * they go on from there. The others that run begin with a snapshot. One that has ended is told for some minutes.
   */
  'GET /console/events': {
    access: 'person',
    answer: 'events',
    query: z.object({ after: z.string().max(4000).optional() }),
    response: personEvent,
  },
} as const satisfies RouteTable;

export type Generation = Shape<typeof generation>;
export type GenerationEvent = Shape<typeof generationEvent>;
export type PersonEvent = Shape<typeof personEvent>;
