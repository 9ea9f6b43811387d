import { EngineFault, type Retry } from '#vocabulary/engine-fault';
import type { EngineStream, EngineStreamReader } from '#vocabulary/inference';
import type { AnswerReader, FailureStage, SentRequest } from './wire/sent-request.ts';

export interface HttpEngineStreamEvents {
  /** Headers have come. */
  opened(): void;
  /** The request ended before its headers did. */
  failedToOpen(fault: EngineFault): void;
  /** Nothing more will come, for whatever reason. */
  over(): void;
}

/** One request on its way: an object with callbacks, no promise and no copy per chunk. */
export class HttpEngineStream implements EngineStream, AnswerReader {
  /** By which connections it goes; an engine that is replaced leaves old ones behind. */
  readonly line: { readonly engineName: string };
  status = 0;
  contentType = '';
  /** When the engine wants to be asked again. */
  retryAfterSeconds: number | undefined;
  /** Monotonic; when the engine last gave a sign of life. */
  #lastActivityMs: number;
  firstByteMs = 0;
  readonly #startedMs: number;
  readonly #events: HttpEngineStreamEvents;
  readonly #monotonicMs: () => number;
  #reader: EngineStreamReader | undefined;
  #early: Buffer[] = [];
  #ending: 'ended' | EngineFault | undefined;
  #isCancelled = false;
  #isPaused = false;
  /** Set as soon as the request has been sent. */
  sent: SentRequest | undefined;
  /** Stops the generation where a closed socket does not; before it closes, if it is we who close it. */
  stopAtEngine: (() => Promise<void>) | undefined;

  constructor(line: HttpEngineStream['line'], events: HttpEngineStreamEvents, monotonicMs: () => number) {
    this.line = line;
    this.#events = events;
    this.#monotonicMs = monotonicMs;
    this.#startedMs = monotonicMs();
    this.#lastActivityMs = this.#startedMs;
  }

  get hasLetGo(): boolean {
    return this.sent?.hasLetGo === true;
  }

  /** How long the engine has given no sign of life. While its reader takes nothing, that is not its fault. */
  silenceMs(nowMs: number): number {
    return this.#isPaused ? 0 : nowMs - this.#lastActivityMs;
  }

  answerBegan(status: number, contentType: string, retryAfterSeconds: number | undefined): void {
    this.retryAfterSeconds = retryAfterSeconds;
    this.#lastActivityMs = this.#monotonicMs();
    this.firstByteMs = this.#lastActivityMs - this.#startedMs;
    this.status = status;
    this.contentType = contentType;
    this.#events.opened();
  }

  chunkArrived(chunk: Buffer): void {
    if (this.#ending !== undefined) return;
    // Whoever says for ever that an answer will come is as good as silent.
    if (chunk[0] !== colon || chunk.includes('data:')) this.#lastActivityMs = this.#monotonicMs();
    if (this.#reader !== undefined) this.#reader.chunkArrived(chunk);
    else this.#early.push(chunk);
  }

  answerEnded(): void {
    this.#finish('ended');
  }

  answerFailed(cause: Error, stage: FailureStage): void {
    if (this.#ending === undefined && stage !== 'connecting') this.stopLost();
    const reason =
      this.status === 0 ? `no answer: ${describe(cause)}` : `the answer broke off: ${describe(cause)}`;
    this.#finish(new EngineFault(reason, { retry: retryAfter[stage], isCut: true, cause }));
  }

  read(reader: EngineStreamReader): void {
    this.#reader = reader;
    const early = this.#early;
    this.#early = [];
    for (const chunk of early) reader.chunkArrived(chunk);
    if (this.#ending !== undefined) this.#tell(reader, this.#ending);
  }

  pause(): void {
    this.#isPaused = true;
    this.sent?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#lastActivityMs = this.#monotonicMs();
    this.sent?.resume();
  }

  cancel(): void {
    this.#abandon(new EngineFault('cancelled', { retry: 'never' }));
  }

  /** The line broke. An engine that lives may go on for nobody; one that does not will not answer. */
  stopLost(): void {
    this.stopAtEngine?.().catch(() => {});
  }

  /** For an engine that does not answer any more. */
  giveUp(reason: string): void {
    this.#abandon(new EngineFault(reason, { retry: 'elsewhere', isSilence: true }));
  }

  /** Ends the generation for our own reason; whoever reads hears of it at once, the engine as its kind needs it. */
  #abandon(fault: EngineFault): void {
    if (this.#ending !== undefined || this.#isCancelled) return;
    this.#isCancelled = true;
    const { stopAtEngine } = this;
    const close = () => this.sent?.abort();
    this.#finish(fault);
    if (stopAtEngine === undefined) close();
    else stopAtEngine().then(close, close);
  }

  #finish(ending: 'ended' | EngineFault): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#events.over();
    if (this.status === 0) {
      const fault =
        ending === 'ended'
          ? new EngineFault('the engine closed without an answer', { retry: 'once-more' })
          : ending;
      this.#events.failedToOpen(fault);
    } else if (this.#reader !== undefined) this.#tell(this.#reader, ending);
  }

  #tell(reader: EngineStreamReader, ending: 'ended' | EngineFault): void {
    if (ending === 'ended') reader.ended();
    else reader.failed(ending);
  }
}

/** With which comments begin. */
const colon = 0x3a;

/**
 * An engine that could not be reached has seen nothing of the request; one that answers has read it. Two connections
 * that break before an answer are no accident.
 */
const retryAfter: Readonly<Record<FailureStage, Retry>> = {
  connecting: 'anywhere',
  sent: 'once-more',
  'sent-again': 'elsewhere',
  answering: 'elsewhere',
};

function describe(error: Error & { code?: string }): string {
  return error.code ?? error.message;
}
