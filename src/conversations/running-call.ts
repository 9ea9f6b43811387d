import type { Clock } from '#vocabulary/clock';
import type { Generation } from '#contract/generations';
import type { MessageError, MessageState, Timings, ToolConsent, ToolUse } from '#contract/messages';
import { Cancellation } from '#vocabulary/cancellation';
import type { AnswerProgress, ChatMessage } from '#vocabulary/conversation';
import type { SequencedEvent } from '#vocabulary/conversations';
import { MessageEvents } from './message-events.ts';
import type { RunningMessage } from './running-message.ts';

export type Decision = ToolConsent | 'refuse';

/** What a call came to: the text is what the model is given. */
export interface CallResult {
  readonly text: string;
  readonly isError?: boolean;
  readonly isCut?: boolean;
  readonly error?: MessageError;
}

/** A call of a tool, in memory: first a question to the person, then work of a server, in the end a result. */
export class RunningCall implements RunningMessage {
  readonly takesPlace = false;
  readonly cancellation = new Cancellation();
  readonly description: Generation;
  readonly personId: string;
  /** What the person says; never rejects, and never settles when nobody says anything. */
  readonly decision: Promise<Decision>;
  readonly #decide: (decision: Decision) => void;
  readonly #base: ChatMessage;
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #events = new MessageEvents();
  #tool: ToolUse;
  #content = '';
  #state: MessageState = 'running';
  #error: MessageError | null = null;
  #endedMs: number | undefined;

  constructor(parts: {
    personId: string;
    description: Generation;
    message: ChatMessage & { readonly tool: ToolUse };
    clock: Clock;
  }) {
    this.personId = parts.personId;
    this.description = parts.description;
    this.#base = parts.message;
    this.#tool = parts.message.tool;
    this.#clock = parts.clock;
    this.#startedMs = parts.clock.monotonicMs();
    const { promise, resolve } = Promise.withResolvers<Decision>();
    this.decision = promise;
    this.#decide = resolve;
  }

  get state(): MessageState {
    return this.#state;
  }

  get lastSequence(): number {
    return this.#events.lastSequence;
  }

  get characters(): number {
    return this.#content.length;
  }

  get isAsking(): boolean {
    return this.#tool.consent === 'asked' && !this.cancellation.isCancelled;
  }

  /** The first word counts; false when nobody is asked any more. */
  decide(decision: Decision): boolean {
    if (!this.isAsking) return false;
    this.#change({ consent: decision === 'refuse' ? 'refused' : decision });
    this.#decide(decision);
    return true;
  }

  finish({ text, isError = false, isCut = false, error }: CallResult): void {
    this.#content = text;
    this.#error = error ?? null;
    if (text !== '') this.#events.emit({ type: 'content', text });
    if (isError || isCut) this.#change({ isError, isCut });
  }

  close(): void {
    this.#endedMs = this.#clock.monotonicMs();
    const state = this.#finalState();
    this.#state = state;
    const timings = this.#timings();
    const { finishReason, usage } = this.#base;
    this.#events.end({ type: 'ended', state, finishReason, error: this.#error, usage, timings });
  }

  subscribe(after: number | undefined, listener: (entry: SequencedEvent) => void): () => void {
    const snapshot = () => ({ type: 'snapshot', message: this.message(), phase: 'answering' }) as const;
    return this.#events.subscribe(after, snapshot, listener);
  }

  message(): ChatMessage {
    return { ...this.#base, ...this.progress() };
  }

  progress(): AnswerProgress {
    const { reasoning, toolCalls, finishReason, usage, context } = this.#base;
    return {
      reasoning,
      toolCalls,
      finishReason,
      usage,
      context,
      content: this.#content,
      tool: this.#tool,
      timings: this.#timings(),
      state: this.#state,
      error: this.#error,
      generationId: this.#state === 'running' ? this.description.id : null,
    };
  }

  #change(change: Partial<ToolUse>): void {
    this.#tool = { ...this.#tool, ...change };
    this.#events.emit({ type: 'toolUse', tool: this.#tool });
  }

  #finalState(): Exclude<MessageState, 'running'> {
    const { reason } = this.cancellation;
    if (reason === undefined) return this.#error === null ? 'complete' : 'failed';
    return reason === 'stopped' ? 'stopped' : 'interrupted';
  }

  #timings(): Timings {
    const now = this.#endedMs ?? this.#clock.monotonicMs();
    return { firstTokenMs: null, thinkingMs: null, totalMs: now - this.#startedMs };
  }
}
