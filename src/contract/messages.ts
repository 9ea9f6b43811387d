import { z } from 'zod';
import type { Shape } from './shape.ts';
import { maxDocumentsPerMessage } from './document-limits.ts';
import { attachedDocument } from './documents.ts';
import { feedback } from './feedback.ts';
import { effort, id, moment } from './fields.ts';
import { sentContext } from './context.ts';
import { summary, whenFull } from './summaries.ts';

/** A message of the tree. Messages never change once complete: an edit or a new answer is a sibling. */

export const toolCall = z.object({
  id: z.string(),
  name: z.string(),
  /** JSON text as the model wrote it; may be cut off while running. */
  argumentsText: z.string(),
});

/** For how long somebody lets a tool be called without being asked again. */
export const toolConsent = z.enum(['once', 'chat', 'always']);

/** A call that the service makes of a tool server. Names and results are hostile text. */
export const toolUse = z.object({
  server: z.string(),
  serverLabel: z.string(),
  /** As the server calls it. */
  tool: z.string(),
  title: z.string(),
  /** `asked`: it waits for the person. */
  consent: z.enum([...toolConsent.options, 'asked', 'refused']),
  /** The tool says that it did not work. */
  isError: z.boolean(),
  /** There was more than the limit lets through. */
  isCut: z.boolean(),
});

export const tokenUsage = z.object({
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cachedTokens: z.number().int(),
  reasoningTokens: z.number().int(),
});

export const timings = z.object({
  /** From asking to the first token of any kind; null while waiting. */
  firstTokenMs: z.number().nullable(),
  /** How long it thought; null when it did not. */
  thinkingMs: z.number().nullable(),
  totalMs: z.number(),
});

export const messageState = z.enum(['complete', 'running', 'stopped', 'interrupted', 'failed']);

export const messageError = z.object({ code: z.string(), message: z.string() });

export const message = z.object({
  id,
  parentId: id.nullable(),
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.string(),
  reasoning: z.string(),
  toolCalls: z.array(toolCall),
  /** For role `tool`: the call this is the result of. */
  toolCallId: z.string().nullable(),
  /** For role `tool`: who gives the result; null when a person does. */
  tool: toolUse.nullable(),
  model: z.string().nullable(),
  effort: effort.nullable(),
  /** `length` means that the answer was cut by the token limit. */
  finishReason: z.string().nullable(),
  usage: tokenUsage.nullable(),
  timings: timings.nullable(),
  state: messageState,
  error: messageError.nullable(),
  /** Set while running: where to listen. */
  generationId: id.nullable(),
  /** What came along with a question. */
  documents: z.array(attachedDocument),
  /** What its owner thinks of this answer. */
  feedback: feedback.nullable(),
  /** The requests that wrote this answer: more than one when it was continued. Each has a receipt. */
  requestIds: z.array(id),
  /** What the model was given for this answer. */
  context: sentContext.nullable(),
  /** What stands for the conversation up to this message where it does not fit. */
  summary: summary.nullable(),
  createdAt: moment,
});

const content = z.string().max(400_000);

export const newMessage = z.union([
  z.strictObject({
    role: z.literal('user'),
    content: content.min(1),
    documents: z.array(id).max(maxDocumentsPerMessage).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), toolCallId: z.string().max(200), content }),
]);

export const tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string().regex(/^[\w-]{1,64}$/),
    description: z.string().max(4000).optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** What is sent beside the messages; what is absent is left to the model's defaults. */
export const parameters = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().gt(0).max(1).optional(),
  maxTokens: z.number().int().min(1).max(1_000_000).optional(),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional(),
  presencePenalty: z.number().min(-2).max(2).optional(),
  frequencyPenalty: z.number().min(-2).max(2).optional(),
  stop: z.array(z.string().min(1).max(200)).max(4).optional(),
  tools: z.array(tool).max(32).optional(),
  /** Names of tool servers that are switched on. */
  toolServers: z.array(z.string().max(32)).max(32).optional(),
  /** Where it differs from what its person usually wants. */
  whenFull: whenFull.optional(),
});

export type MessageState = Shape<typeof messageState>;
export type MessageError = Shape<typeof messageError>;
export type TokenUsage = Shape<typeof tokenUsage>;
export type Timings = Shape<typeof timings>;
export type ToolUse = Shape<typeof toolUse>;
export type ToolConsent = Shape<typeof toolConsent>;
export type ToolCall = Shape<typeof toolCall>;
export type Message = Shape<typeof message>;
export type NewMessage = Shape<typeof newMessage>;
export type Parameters = Shape<typeof parameters>;
