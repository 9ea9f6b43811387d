import type { Dispatcher } from 'undici';
import { EngineFault } from '#vocabulary/engine-fault';
import type { EngineStream, EngineStreamReader } from '#vocabulary/inference';

export interface HttpEngineStreamEvents {
  /** Headers have come. */
  opened(): void;
  /** The request ended before its headers did. */
  failedToOpen(fault: EngineFault): void;
  /** Nothing more will come, for whatever reason. */
  over(): void;
}

/** One request on its way through undici: an object with callbacks, no promise and no copy per chunk. */
export class HttpEngineStream implements EngineStream, Dispatcher.DispatchHandler {
  status = 0;
  contentType = '';
  /** Monotonic; when the engine last gave a sign of life. */
  lastActivityMs: number;
  /** While the reader takes nothing, the silence is not the engine's. */
  isPaused = false;
  firstByteMs = 0;
  readonly #startedMs: number;
  readonly #events: HttpEngineStreamEvents;
  readonly #monotonicMs: () => number;
  #controller: Dispatcher.DispatchController | undefined;
  #reader: EngineStreamReader | undefined;
  #early: Buffer[] = [];
  #ending: 'ended' | EngineFault | undefined;
  #isCancelled = false;
  /** Runs before the socket closes on a cancelled generation. */
  beforeClose: (() => Promise<void>) | undefined;

  constructor(events: HttpEngineStreamEvents, monotonicMs: () => number) {
    this.#events = events;
    this.#monotonicMs = monotonicMs;
    this.#startedMs = monotonicMs();
    this.lastActivityMs = this.#startedMs;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isCancelled) controller.abort(new Error('cancelled'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.lastActivityMs = this.#monotonicMs();
    this.firstByteMs = this.lastActivityMs - this.#startedMs;
    this.status = status;
    const type = headers['content-type'];
    this.contentType = typeof type === 'string' ? type : '';
    this.#events.opened();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ending !== undefined) return;
    this.lastActivityMs = this.#monotonicMs();
    if (this.#reader !== undefined) this.#reader.chunkArrived(chunk);
    else this.#early.push(Buffer.from(chunk));
  }

  onResponseEnd(): void {
    this.#finish('ended');
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    const isBeforeAnswer = this.status === 0;
    const reason = isBeforeAnswer
      ? `no answer: ${describe(error)}`
      : `the answer broke off: ${describe(error)}`;
    this.#finish(new EngineFault(reason, { isBeforeAnswer, cause: error }));
  }

  read(reader: EngineStreamReader): void {
    this.#reader = reader;
    const early = this.#early;
    this.#early = [];
    for (const chunk of early) reader.chunkArrived(chunk);
    if (this.#ending !== undefined) this.#tell(reader, this.#ending);
  }

  pause(): void {
    this.isPaused = true;
    this.#controller?.pause();
  }

  resume(): void {
    this.isPaused = false;
    this.lastActivityMs = this.#monotonicMs();
    this.#controller?.resume();
  }

  cancel(): void {
    this.abandon('cancelled');
  }

  /** Ends the generation for our own reason; whoever reads hears of it at once, the engine as its kind needs it. */
  abandon(reason: string): void {
    if (this.#ending !== undefined || this.#isCancelled) return;
    this.#isCancelled = true;
    const { beforeClose } = this;
    const close = () => this.#controller?.abort(new Error(reason));
    this.#finish(new EngineFault(reason, { isBeforeAnswer: false }));
    if (beforeClose === undefined) close();
    else beforeClose().then(close, close);
  }

  #finish(ending: 'ended' | EngineFault): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#events.over();
    if (this.status === 0) {
      const fault =
        ending === 'ended'
          ? new EngineFault('the engine closed without an answer', { isBeforeAnswer: true })
          : ending;
      this.#events.failedToOpen(fault);
    } else if (this.#reader !== undefined) this.#tell(this.#reader, ending);
  }

  #tell(reader: EngineStreamReader, ending: 'ended' | EngineFault): void {
    if (ending === 'ended') reader.ended();
    else reader.failed(ending);
  }
}

function describe(error: Error & { code?: string }): string {
  return error.code ?? error.message;
}
