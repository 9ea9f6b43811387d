import { z } from 'zod';
import type { Shape } from './shape.ts';
import { effort, moment, title } from './fields.ts';
import { folderName } from './folders.ts';
import { summary } from './summaries.ts';
import { messageError, parameters, timings, tokenUsage, toolCall, toolUse } from './messages.ts';

/** The file that export writes and import reads. Ids are only there to tie messages together. */

const archivedMessage = z.object({
  id: z.string().min(1).max(100),
  parentId: z.string().max(100).nullable(),
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.string().max(2_000_000),
  reasoning: z.string().max(2_000_000).default(''),
  toolCalls: z.array(toolCall).max(128).default([]),
  toolCallId: z.string().max(200).nullable().default(null),
  tool: toolUse.nullable().default(null),
  model: z.string().max(200).nullable().default(null),
  effort: effort.nullable().default(null),
  finishReason: z.string().max(50).nullable().default(null),
  usage: tokenUsage.nullable().default(null),
  timings: timings.nullable().default(null),
  state: z.enum(['complete', 'stopped', 'interrupted', 'failed']).default('complete'),
  error: messageError.nullable().default(null),
  summary: summary.nullable().default(null),
  createdAt: moment,
});

const archivedChatFields = z.object({
  title,
  model: z.string().max(200),
  effort: effort.nullable().default(null),
  systemPrompt: z.string().max(100_000).default(''),
  parameters: parameters.default({}),
  isPinned: z.boolean().default(false),
  archivedAt: moment.nullable().default(null),
  /** The name of its folder. */
  folder: folderName.nullable().default(null),
  activeLeafId: z.string().max(100).nullable().default(null),
  createdAt: moment,
  updatedAt: moment,
  /** Parents before children. */
  messages: z.array(archivedMessage).max(20_000),
});

/** A parent that comes later or not at all, or an id twice, is a file that does not make sense. */
export const archivedChat = archivedChatFields.refine(({ messages }) => {
  const known = new Set<string>();
  return messages.every(({ id, parentId }) => {
    const fits = !known.has(id) && (parentId === null || known.has(parentId));
    known.add(id);
    return fits;
  });
}, 'The messages of this chat do not form a tree');

export const chatArchive = z.object({
  format: z.literal('gatehouse-chats'),
  version: z.literal(1),
  exportedAt: moment,
  chats: z.array(archivedChat).max(10_000),
});

export type ArchivedChat = Shape<typeof archivedChat>;
export type ChatArchive = Shape<typeof chatArchive>;
