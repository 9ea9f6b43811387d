import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '#vocabulary/clock';
import { Cancellation } from '#vocabulary/cancellation';
import type { BodyLimit, Exchange } from '#vocabulary/exchange';
import type { CallerBudget, CallerBudgets } from './caller-budgets.ts';
import { HttpReply } from './http-reply.ts';
import { giveBack, readRequestBody } from './request-body.ts';
import type { RequestPath } from './request-path.ts';
import { peerAddressOf } from './sockets.ts';

export interface ExchangeParts {
  readonly clock: Clock;
  readonly budgets: CallerBudgets;
  readonly addressOf: AddressOf;
  readonly maxBodyBytes: number;
  readonly slowReaderMs: number;
}

/** The true address of a caller, behind trusted proxies. */
export type AddressOf = (caller: Pick<Exchange, 'peerAddress' | 'headers'>) => string;

/** A request that came over a socket. */
export class HttpExchange implements Exchange {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly peerAddress: string;
  readonly receivedAt: number;
  readonly startedMs: number;
  readonly cancellation = new Cancellation();
  readonly reply: HttpReply;
  readonly memory: CallerBudget;
  readonly #request: IncomingMessage;
  readonly #maxBodyBytes: number;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    target: RequestPath,
    requestId: string,
    commonHeaders: readonly string[],
    parts: ExchangeParts,
  ) {
    this.requestId = requestId;
    this.method = request.method ?? 'GET';
    this.path = target.path;
    this.query = target.query;
    this.peerAddress = peerAddressOf(request.socket);
    this.receivedAt = parts.clock.wallMs();
    this.startedMs = parts.clock.monotonicMs();
    this.#request = request;
    this.#maxBodyBytes = parts.maxBodyBytes;
    this.memory = parts.budgets.open(parts.addressOf(this));
    this.reply = new HttpReply(response, commonHeaders, this.memory);
    response.on('close', () => {
      this.memory[Symbol.dispose]();
      if (!response.writableFinished) this.cancellation.cancel('caller-left');
    });
    // Node lets the time begin anew as long as bytes leave. A quiet socket is the reader's doing only if something waits.
    request.socket.setTimeout(parts.slowReaderMs);
    response.on('timeout', () => {
      if (response.writableLength > 0) this.cancellation.cancel('caller-left');
    });
    // Whoever was declared gone while the connection stood, such as a reader who takes nothing, is disconnected.
    this.cancellation.onCancel((reason) => {
      if (reason === 'caller-left' && !response.destroyed) response.destroy();
    });
    // A peer that resets the socket also reports an error; its closing is what counts.
    response.on('error', ignore);
  }

  get headers(): IncomingHttpHeaders {
    return this.#request.headers;
  }

  countHeader(lowerCaseName: string): number {
    const raw = this.#request.rawHeaders;
    let count = 0;
    for (let index = 0; index < raw.length; index += 2) {
      const name = raw[index];
      if (name !== undefined && name.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName)
        count++;
    }
    return count;
  }

  readBody(limit: BodyLimit = {}): Promise<Buffer> {
    const maxBytes = Math.min(this.#maxBodyBytes, limit.maxBytes ?? Infinity);
    return readRequestBody(this.#request, this.cancellation, this.memory, {
      maxBytes,
      mediaType: limit.isPlainBytes === true ? 'application/octet-stream' : 'application/json',
    });
  }

  forgetBody(body: Buffer): void {
    if (body.length >= largeBytes) giveBack(body);
  }
}

/** Below it there is nothing to win, and the body may share its memory with others. */
const largeBytes = 64 * 1024;

function ignore(): void {}
