import type { Message, Parameters } from '#contract/messages';
import type { ReasoningEffort } from './catalogue.ts';

/** A chat and its tree of messages, as rooms speak of them; what a page sees of it is shaped by the contract. Times are milliseconds since the epoch. */

export interface Chat {
  readonly id: string;
  readonly personId: string;
  readonly title: string;
  /** `placeholder`: the first words, until the model has thought of a title. */
  readonly titleSource: 'placeholder' | 'model' | 'person';
  readonly model: string;
  readonly effort: ReasoningEffort | null;
  readonly systemPrompt: string;
  readonly parameters: Parameters;
  readonly isPinned: boolean;
  /** Set while it is put away: not in the list, and found by search. */
  readonly archivedAt: number | null;
  readonly folderId: string | null;
  readonly activeLeafId: string | null;
  /** The open link to this chat and the end of the branch it shows. */
  readonly share: ChatShare | null;
  readonly createdAt: number;
  /** When the last message was written. */
  readonly updatedAt: number;
  /** Set while a deletion can still be undone. */
  readonly deletedAt: number | null;
}

/** A chat in a list: without what may be long. */
export type ChatSummary = Omit<Chat, 'systemPrompt' | 'parameters'>;

export interface ChatShare {
  readonly id: string;
  readonly leafId: string;
  readonly sharedAt: number;
}

/** Never changes once it is not running any more: an edit or another answer is a sibling. */
export type ChatMessage = Message;

/** What of a message changes while its answer is being written. */
export type AnswerProgress = Pick<
  ChatMessage,
  | 'content'
  | 'reasoning'
  | 'toolCalls'
  | 'tool'
  | 'finishReason'
  | 'usage'
  | 'timings'
  | 'state'
  | 'error'
  | 'context'
  | 'generationId'
>;
