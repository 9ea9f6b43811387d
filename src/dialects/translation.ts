import type { ModelDefinition } from '#vocabulary/catalogue';
import type { InferenceEndpoint } from '#vocabulary/inference';
import type { JsonObject } from './json-object.ts';

/**
 * A dialect that callers may speak and not every engine understands, put into chat completions and back. Pure: the
 * door translates the question, a reply of its own translates the answer, and everything between sees a chat.
 */
export interface Translation {
  /** What is asked of engines that do not speak the dialect. */
  readonly endpoint: InferenceEndpoint;
  /** Throws a refusal for what no chat completion can express. The body has passed the rules for parameters. */
  read(body: JsonObject, model: ModelDefinition): TranslatedQuestion;
  /** A refusal as the whole answer of this dialect. */
  errorBody(error: ChatError): object;
  /** Of an answer whose gateway died; undefined when nobody could go on with it. At least one event. */
  recall?(events: readonly JsonObject[]): RecalledAnswer | undefined;
  /** Whether nothing comes behind this event. */
  isLast?(event: JsonObject): boolean;
  /** A refusal as the end of a stream whose events these are, and whose translator is gone with its gateway. */
  failAfter?(events: readonly JsonObject[], error: ChatError): string;
}

/** An answer that another gateway has begun: what its translator was told until then, so that one can go on. */
export interface RecalledAnswer {
  /** What its ids were made of. */
  readonly requestId: string;
  readonly receivedAt: number | undefined;
  readonly chunks: readonly JsonObject[];
  /** As many frames must come out again; undefined where that is not certain. With 0 the caller has got nothing yet. */
  readonly frameCount: number | undefined;
}

export interface TranslatedQuestion {
  /** A chat completion without `model`, `stream`, `stream_options` and `separate_reasoning`, which the door adds. */
  readonly chat: JsonObject;
  /** What the caller asked for and nobody will do, as the caller wrote it. */
  readonly ignored: readonly string[];
  /** Called once, when somebody is going to answer. */
  answer(facts: AnswerFacts): AnswerTranslator;
}

export interface AnswerFacts {
  /** Ours and unique: what ids are made of. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly observer?: AnswerObserver | undefined;
}

/** For whoever wants to know what becomes of an answer besides its reader. */
export interface AnswerObserver {
  /** The question is going to be answered; the answer is still empty. Called before everything else. */
  accepted(draft: JsonObject): void;
  /** As it stands in the end, failed ones too. Not called when the reader left before the end. */
  finished(answer: JsonObject): void;
}

/** Puts one answer into the dialect as it comes. Every call gives the frames to send now, which may be none. */
export interface AnswerTranslator {
  /** What it keeps of a stream until its end, about; absent: nothing to speak of. */
  readonly heldBytes?: number;
  /** The stream begins, perhaps long before the first chunk. */
  begin(): string;
  chunk(chunk: JsonObject): string;
  /** A sign of life besides the comment that is sent in any case, where the dialect has one. */
  ping?(): string;
  /** Nothing more will come: the last frames, unless the answer has failed. */
  end(): string;
  /** Instead of the end. */
  fail(error: ChatError): string;
  /** For an answer in one piece; undefined when it is no chat completion. Called instead of all others. */
  whole(answer: JsonObject): JsonObject | undefined;
}

/** What stands in OpenAI's error object. */
export interface ChatError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string;
}

export function namedFrame(event: { readonly type: string } & JsonObject): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
