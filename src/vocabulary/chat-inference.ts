import type { Cancellation } from './cancellation.ts';
import type { Reply } from './exchange.ts';

/** How a web chat asks for an answer: the same road as the two doors, without a socket of its own. */
export interface ChatInference {
  /**
   * Resolves when the answer is over; never throws. Success is written to `reply` as an SSE stream of OpenAI
   * chunks; a refusal before the first frame as its status and an OpenAI error object; a later failure as an
   * error event inside the stream. Leaving through `cancellation` stops the generation on the engine.
   */
  answer(ask: ChatAsk): Promise<void>;
}

export interface ChatAsk {
  /** Ours and unique: under it the answer stands in the books. */
  readonly requestId: string;
  /** Nothing is kept of it beyond its usage. */
  readonly isTemporary: boolean;
  readonly personId: string;
  /** The project on whose account it is asked; otherwise the first of the person's that may use the model. */
  readonly projectId?: string | undefined;
  /** Where the person sits, for the books. */
  readonly address: string;
  /** An OpenAI chat completion request with `stream: true`. */
  readonly request: Readonly<Record<string, unknown>> & { readonly model: string };
  readonly reply: Reply;
  readonly cancellation: Cancellation;
}
