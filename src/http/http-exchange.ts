import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { canonicalAddress } from '#vocabulary/address';
import type { Clock } from '#vocabulary/clock';
import { Cancellation } from '#vocabulary/cancellation';
import type { Exchange } from '#vocabulary/exchange';
import { HttpReply } from './http-reply.ts';
import type { IdleConnections } from './idle-connections.ts';
import { readRequestBody } from './request-body.ts';
import type { RequestPath } from './request-path.ts';

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
  readonly #request: IncomingMessage;
  readonly #maxBodyBytes: number;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    target: RequestPath,
    requestId: string,
    commonHeaders: readonly string[],
    options: { readonly clock: Clock; readonly maxBodyBytes: number; readonly idle: IdleConnections },
  ) {
    this.requestId = requestId;
    this.method = request.method ?? 'GET';
    this.path = target.path;
    this.query = target.query;
    this.peerAddress = peerAddressOf(request);
    this.receivedAt = options.clock.wallMs();
    this.startedMs = options.clock.monotonicMs();
    this.reply = new HttpReply(response, commonHeaders);
    this.#request = request;
    this.#maxBodyBytes = options.maxBodyBytes;
    const { socket } = request;
    response.on('close', () => {
      options.idle.served(socket, response);
      if (!response.writableFinished) this.cancellation.cancel('caller-left');
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

  readBody(): Promise<Buffer> {
    return readRequestBody(this.#request, this.cancellation, this.#maxBodyBytes);
  }
}

/** Cached on the socket: one connection, one peer. A unix socket has no address and is nobody's network. */
function peerAddressOf(request: IncomingMessage): string {
  const socket = request.socket as typeof request.socket & { [PEER]?: string };
  const known = socket[PEER];
  if (known !== undefined) return known;
  const peer = canonicalAddress(socket.remoteAddress ?? '') ?? 'unknown';
  socket[PEER] = peer;
  return peer;
}

function ignore(): void {}

const PEER = Symbol('canonical peer address');
