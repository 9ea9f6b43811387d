import type { Generation } from '#contract/generations';
import type { MessageState } from '#contract/messages';
import type { Cancellation } from '#vocabulary/cancellation';
import type { AnswerProgress, ChatMessage } from '#vocabulary/conversation';
import type { SequencedEvent } from '#vocabulary/conversations';

/** A message that is being written, in memory, by an engine or by a tool. */
export interface RunningMessage {
  readonly cancellation: Cancellation;
  readonly description: Generation;
  readonly personId: string;
  /** The project in whose space it is written, on whose budget. */
  readonly projectId?: string | undefined;
  /** Whether it counts among the answers that one person may have at once. */
  readonly takesPlace: boolean;
  readonly state: MessageState;
  /** Grows with everything that arrives. */
  readonly lastSequence: number;
  /** How much text it holds. */
  readonly characters: number;
  subscribe(after: number | undefined, listener: (entry: SequencedEvent) => void): () => void;
  message(): ChatMessage;
  progress(): AnswerProgress;
  /** It is over, one way or another. Called once, when nothing writes any more. */
  close(): void;
}
