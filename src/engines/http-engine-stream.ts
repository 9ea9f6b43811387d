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
  /** By which connections it goes; an engine that is replaced leaves old ones behind. */
  readonly line: { readonly engineName: string };
  status = 0;
  contentType = '';
  /** Monotonic; when the engine last gave a sign of life. */
  #lastActivityMs: number;
  firstByteMs = 0;
  readonly #startedMs: number;
  readonly #events: HttpEngineStreamEvents;
  readonly #monotonicMs: () => number;
  #controller: Dispatcher.DispatchController | undefined;
  #reader: EngineStreamReader | undefined;
  #early: Buffer[] = [];
  #ending: 'ended' | EngineFault | undefined;
  #isCancelled = false;
  #isPaused = false;
  /** Runs before the socket closes on a cancelled generation. */
  beforeClose: (() => Promise<void>) | undefined;

  constructor(line: HttpEngineStream['line'], events: HttpEngineStreamEvents, monotonicMs: () => number) {
    this.line = line;
    this.#events = events;
    this.#monotonicMs = monotonicMs;
    this.#startedMs = monotonicMs();
    this.#lastActivityMs = this.#startedMs;
  }

  /** How long the engine has given no sign of life. While its reader takes nothing, that is not its fault. */
  silenceMs(nowMs: number): number {
    return this.#isPaused ? 0 : nowMs - this.#lastActivityMs;
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
    this.#lastActivityMs = this.#monotonicMs();
    this.firstByteMs = this.#lastActivityMs - this.#startedMs;
    this.status = status;
    const type = headers['content-type'];
    this.contentType = typeof type === 'string' ? type : '';
    this.#events.opened();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ending !== undefined) return;
    this.#lastActivityMs = this.#monotonicMs();
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
    const retry = isBeforeAnswer ? (neverArrived(error) ? 'anywhere' : 'once-more') : 'elsewhere';
    this.#finish(new EngineFault(reason, { retry, cause: error }));
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
    this.#controller?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#lastActivityMs = this.#monotonicMs();
    this.#controller?.resume();
  }

  cancel(): void {
    this.#abandon(new EngineFault('cancelled', { retry: 'never' }));
  }

  /** For an engine that does not answer any more. */
  giveUp(reason: string): void {
    this.#abandon(new EngineFault(reason, { retry: 'elsewhere', isSilence: true }));
  }

  /** Ends the generation for our own reason; whoever reads hears of it at once, the engine as its kind needs it. */
  #abandon(fault: EngineFault): void {
    if (this.#ending !== undefined || this.#isCancelled) return;
    this.#isCancelled = true;
    const { beforeClose } = this;
    const close = () => this.#controller?.abort(fault);
    this.#finish(fault);
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

const connectFailures = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** No connection came about, so the engine has seen nothing of the request. */
function neverArrived(error: Error & { code?: string }): boolean {
  return error.code !== undefined && connectFailures.has(error.code);
}

function describe(error: Error & { code?: string }): string {
  return error.code ?? error.message;
}
