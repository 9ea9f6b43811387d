import type { Clock } from '#vocabulary/clock';
import type { SentContext } from '#contract/context';
import type { Generation, GenerationEvent } from '#contract/generations';
import type { MessageError, MessageState, Timings, TokenUsage, ToolCall } from '#contract/messages';
import type { AnswerProgress, ChatMessage } from '#vocabulary/conversation';
import type { SequencedEvent, ToolCallPiece } from '#vocabulary/conversations';
import { Cancellation } from '#vocabulary/cancellation';
import type { Reply } from '#vocabulary/exchange';
import type { LinePlace } from '#vocabulary/sharing';
import { AnswerReader, parseObject, readError } from './answer-reader.ts';
import { MessageEvents } from './message-events.ts';
import type { RunningMessage } from './running-message.ts';

/** An answer longer than this is stopped: no model writes so much, and memory is shared. */
const maxAnswerCharacters = 4 * 1024 * 1024;
const maxRefusalBytes = 64 * 1024;

/**
 * An answer being written, in memory: the place where the answer goes (`Reply`), and where any number of windows
 * listen. Takes everything at once, so a slow window never slows the engine or another window.
 */
export class RunningAnswer implements Reply, RunningMessage {
  readonly takesPlace = true;
  readonly cancellation = new Cancellation();
  readonly description: Generation;
  readonly personId: string;
  readonly projectId: string | undefined;
  hasBegun = false;
  hasEnded = false;
  readonly bufferedBytes = 0;
  #base: ChatMessage;
  #isSummarising = false;
  readonly #clock: Clock;
  readonly #events = new MessageEvents();
  readonly #reader: AnswerReader;
  readonly #startedMs: number;
  readonly #toolCalls: { id: string; name: string; argumentsText: string }[] = [];
  #content = '';
  #reasoning = '';
  #pending: { type: 'reasoning' | 'content'; text: string } | undefined;
  #state: MessageState = 'running';
  #error: MessageError | null = null;
  #refusal: Buffer[] | undefined;
  #firstTokenMs: number | null = null;
  #thinkingSinceMs: number | null = null;
  #lastPlace: LinePlace | undefined;
  #thinkingMs: number | null = null;
  #endedMs: number | undefined;

  constructor(parts: {
    personId: string;
    projectId?: string | undefined;
    description: Generation;
    message: ChatMessage;
    clock: Clock;
  }) {
    this.personId = parts.personId;
    this.projectId = parts.projectId;
    this.description = parts.description;
    this.#base = parts.message;
    this.#clock = parts.clock;
    this.#startedMs = parts.clock.monotonicMs();
    this.#content = parts.message.content;
    this.#reasoning = parts.message.reasoning;
    this.#thinkingMs = parts.message.timings?.thinkingMs ?? null;
    this.#reader = new AnswerReader({
      reasoningArrived: (text) => this.#textArrived('reasoning', text),
      contentArrived: (text) => this.#textArrived('content', text),
      toolCallArrived: (piece) => this.#toolCallArrived(piece),
    });
  }

  get state(): MessageState {
    return this.#state;
  }

  /** Grows with everything that arrives. */
  get lastSequence(): number {
    return this.#events.lastSequence;
  }

  /** Whether the engine has said all it wanted to say, and nobody stopped it. */
  get isWhole(): boolean {
    const { error, finishReason, hasFinished } = this.#reader;
    const isUndisturbed = this.#refusal === undefined && this.#error === null && error === null;
    return isUndisturbed && !this.cancellation.isCancelled && (hasFinished || finishReason !== null);
  }

  /** How much text it holds. */
  get characters(): number {
    return this.#content.length + this.#reasoning.length;
  }

  showPlace({ place, seconds }: LinePlace): void {
    if (place === this.#lastPlace?.place && seconds === this.#lastPlace.seconds) return;
    this.#lastPlace = { place, seconds };
    this.#emit({ type: 'waiting', place, seconds });
  }

  /** What is too old to go along is summarised before the engine is asked. */
  beginSummary(): void {
    this.#isSummarising = true;
    this.#emit({ type: 'summarising' });
  }

  endSummary(context: SentContext): void {
    this.#isSummarising = false;
    this.#base = { ...this.#base, context };
    this.#emit({ type: 'context', context });
  }

  /** Nobody reads headers here. */
  announce(): void {}

  begin(status: number): void {
    this.hasBegun = true;
    if (status >= 400) this.#refusal = [];
  }

  write(chunk: Buffer | string): boolean {
    if (this.hasEnded || this.#state !== 'running') return true;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.#refusal !== undefined) {
      if (this.#refusal.reduce((sum, part) => sum + part.length, 0) < maxRefusalBytes)
        this.#refusal.push(Buffer.from(bytes));
      return true;
    }
    this.#reader.push(bytes);
    this.#flush();
    if (this.characters > maxAnswerCharacters) {
      this.#error = { code: 'engine_failed', message: 'The answer became too long and was stopped.' };
      this.cancellation.cancel('stopped');
    }
    return true;
  }

  /** Never needed: `write` always takes everything. */
  onDrain(): void {}

  end(chunk?: Buffer | string): void {
    if (chunk !== undefined) this.write(chunk);
    this.hasEnded = true;
  }

  /** The answer is over, one way or another. Called once, when nothing writes any more. */
  close(): void {
    if (this.#refusal === undefined) this.#reader.finish();
    this.#flush();
    this.#endedMs = this.#clock.monotonicMs();
    if (this.#thinkingSinceMs !== null) this.#thinkingMs = this.#endedMs - this.#thinkingSinceMs;
    this.#thinkingSinceMs = null;
    // Whoever stops an answer is told so at the end of the stream; for the person who did it, that is no failure.
    if (this.cancellation.reason !== 'stopped') {
      this.#error ??= this.#refusal === undefined ? this.#reader.error : readRefusal(this.#refusal);
    }
    const state = this.#finalState();
    this.#state = state;
    const { finishReason } = this.#reader;
    const usage = this.#usage();
    const timings = this.#timings();
    this.#events.end({ type: 'ended', state, finishReason, error: this.#error, usage, timings });
  }

  /** As `GenerationDesk.subscribe` promises. */
  subscribe(after: number | undefined, listener: (entry: SequencedEvent) => void): () => void {
    const snapshot = () => ({ type: 'snapshot', message: this.message(), phase: this.#phase() }) as const;
    return this.#events.subscribe(after, snapshot, listener);
  }

  message(): ChatMessage {
    return { ...this.#base, ...this.progress() };
  }

  progress(): AnswerProgress {
    return {
      content: this.#content,
      reasoning: this.#reasoning,
      toolCalls: this.#toolCalls.map((call): ToolCall => ({ ...call })),
      tool: null,
      finishReason: this.#reader.finishReason,
      usage: this.#usage(),
      timings: this.#timings(),
      state: this.#state,
      error: this.#error,
      context: this.#base.context,
      generationId: this.#state === 'running' ? this.description.id : null,
    };
  }

  #textArrived(type: 'reasoning' | 'content', text: string): void {
    this.#noteProgress(type);
    if (type === 'content') this.#content += text;
    else this.#reasoning += text;
    if (this.#pending?.type === type) {
      this.#pending.text += text;
      return;
    }
    this.#flush();
    this.#pending = { type, text };
  }

  #toolCallArrived(piece: ToolCallPiece): void {
    this.#noteProgress('content');
    this.#flush();
    while (this.#toolCalls.length <= piece.index)
      this.#toolCalls.push({ id: '', name: '', argumentsText: '' });
    const call = this.#toolCalls[piece.index];
    if (call === undefined) return;
    if (piece.id !== undefined) call.id = piece.id;
    if (piece.name !== undefined) call.name = piece.name;
    call.argumentsText += piece.argumentsText;
    this.#emit(piece);
  }

  #noteProgress(type: 'reasoning' | 'content'): void {
    const now = this.#clock.monotonicMs();
    this.#firstTokenMs ??= now - this.#startedMs;
    if (type === 'reasoning') this.#thinkingSinceMs ??= now - (this.#thinkingMs ?? 0);
    else if (this.#thinkingSinceMs !== null) {
      this.#thinkingMs = now - this.#thinkingSinceMs;
      this.#thinkingSinceMs = null;
    }
  }

  /** Pieces that arrived in one read are one event. */
  #flush(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending !== undefined) this.#emit(pending);
  }

  #emit(event: GenerationEvent): void {
    this.#events.emit(event);
  }

  #phase(): 'waiting' | 'summarising' | 'thinking' | 'answering' {
    if (this.#isSummarising) return 'summarising';
    if (this.#content !== '' || this.#toolCalls.length > 0) return 'answering';
    return this.#reasoning === '' ? 'waiting' : 'thinking';
  }

  #finalState(): Exclude<MessageState, 'running'> {
    const { reason } = this.cancellation;
    if (reason === undefined || reason === 'stopped') {
      if (this.#error !== null) return 'failed';
      if (reason === 'stopped') return 'stopped';
      return this.#reader.hasFinished || this.#reader.finishReason !== null ? 'complete' : 'interrupted';
    }
    return 'interrupted';
  }

  /** Of all parts of an answer that was continued. */
  #usage(): TokenUsage | null {
    const { usage } = this.#reader;
    const before = this.#base.usage;
    if (usage === null || before === null) return usage ?? before;
    return {
      inputTokens: usage.inputTokens + before.inputTokens,
      outputTokens: usage.outputTokens + before.outputTokens,
      cachedTokens: usage.cachedTokens + before.cachedTokens,
      reasoningTokens: usage.reasoningTokens + before.reasoningTokens,
    };
  }

  #timings(): Timings {
    const now = this.#endedMs ?? this.#clock.monotonicMs();
    const thinkingMs = this.#thinkingSinceMs === null ? this.#thinkingMs : now - this.#thinkingSinceMs;
    return { firstTokenMs: this.#firstTokenMs, thinkingMs, totalMs: now - this.#startedMs };
  }
}

function readRefusal(parts: readonly Buffer[]): MessageError {
  const body = parseObject(Buffer.concat(parts).toString('utf8'));
  const error = body === undefined ? undefined : readError(body);
  return error ?? { code: 'internal_error', message: 'The answer could not be started. Try again.' };
}
