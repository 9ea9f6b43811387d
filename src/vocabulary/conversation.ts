import type { ReasoningEffort } from './catalogue.ts';

/** A chat and its tree of messages, as rooms speak of them. Times are milliseconds since the epoch. */

export interface Chat {
  readonly id: string;
  readonly personId: string;
  readonly title: string;
  /** `placeholder`: the first words, until the model has thought of a title. */
  readonly titleSource: 'placeholder' | 'model' | 'person';
  readonly model: string;
  readonly effort: ReasoningEffort | null;
  readonly systemPrompt: string;
  readonly parameters: ChatParameters;
  readonly isPinned: boolean;
  readonly activeLeafId: string | null;
  /** The open link to this chat and the end of the branch it shows. */
  readonly share: ChatShare | null;
  readonly createdAt: number;
  /** When the last message was written. */
  readonly updatedAt: number;
  /** Set while a deletion can still be undone. */
  readonly deletedAt: number | null;
}

export interface ChatShare {
  readonly id: string;
  readonly leafId: string;
  readonly sharedAt: number;
}

/** What is sent beside the messages; what is absent is left to the model's defaults. */
export interface ChatParameters {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly seed?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly tools?: readonly ChatTool[] | undefined;
}

export interface ChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string | undefined;
    readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  };
}

export type MessageState = 'complete' | 'running' | 'stopped' | 'interrupted' | 'failed';

/** Never changes once it is not running any more: an edit or another answer is a sibling. */
export interface ChatMessage {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  /** For role `tool`: the call this is the result of. */
  readonly toolCallId: string | null;
  readonly model: string | null;
  readonly effort: ReasoningEffort | null;
  readonly finishReason: string | null;
  readonly usage: AnswerUsage | null;
  readonly timings: AnswerTimings | null;
  readonly state: MessageState;
  readonly error: AnswerError | null;
  readonly generationId: string | null;
  readonly createdAt: number;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it. */
  readonly argumentsText: string;
}

export interface AnswerUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
}

export interface AnswerTimings {
  readonly firstTokenMs: number | null;
  readonly thinkingMs: number | null;
  readonly totalMs: number;
}

export interface AnswerError {
  readonly code: string;
  readonly message: string;
}

/** What of a message changes while its answer is being written. */
export type AnswerProgress = Pick<
  ChatMessage,
  | 'content'
  | 'reasoning'
  | 'toolCalls'
  | 'finishReason'
  | 'usage'
  | 'timings'
  | 'state'
  | 'error'
  | 'generationId'
>;
