import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply } from '#vocabulary/exchange';
import type { CallerBudget } from './caller-budgets.ts';

/** An answer that goes out over a socket. Headers every answer carries are given once, at birth. */
export class HttpReply implements Reply {
  readonly #response: ServerResponse;
  #commonHeaders: readonly string[];
  readonly #budget: CallerBudget;
  #isCounted = false;
  /** Node keeps what it is given until the end of the tick: until then the socket itself would be too early. */
  #isHeldByNode = true;
  #pieces = 0;
  /** Where the last piece went, and what drains if it has no room. */
  #full: ServerResponse | Socket;
  hasBegun = false;
  hasEnded = false;
  /** Goes on until somebody leaves. */
  isEventStream = false;

  constructor(response: ServerResponse, commonHeaders: readonly string[], budget: CallerBudget) {
    this.#response = response;
    this.#commonHeaders = commonHeaders;
    this.#budget = budget;
    this.#full = response;
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  /** Over a socket the heartbeat's comments tell. */
  showPlace(): void {}

  announce(headers: readonly string[]): void {
    if (headers.length > 0) this.#commonHeaders = [...this.#commonHeaders, ...headers];
  }

  begin(status: number, headers: readonly string[]): void {
    this.hasBegun = true;
    this.isEventStream =
      headers[headers.indexOf('content-type') + 1]?.startsWith('text/event-stream') === true;
    this.#response.writeHead(status, [...this.#commonHeaders, ...headers]);
  }

  write(chunk: Buffer | string): boolean {
    const hasRoom = this.#send(chunk);
    if (!hasRoom) this.#countUnsent();
    return hasRoom;
  }

  onDrain(listener: () => void): void {
    this.#full.once('drain', listener);
  }

  end(chunk?: Buffer | string): void {
    this.hasEnded = true;
    const response = this.#response;
    if (isStillArriving(response.req)) endAfterUpload(response, chunk);
    else if (chunk === undefined) response.end();
    else if (typeof chunk === 'string' || chunk.length > maxJoinedBytes) {
      response.end(chunk);
      this.#full = response;
      this.#countUnsent();
    } else response.end(chunk.toString('latin1'), 'latin1');
  }

  /** Small pieces of a stream go to the socket itself as soon as its head, and all before them, has left. */
  #send(chunk: Buffer | string): boolean {
    const response = this.#response;
    const socket = !this.#isHeldByNode && response.chunkedEncoding ? response.socket : null;
    if (socket === null || typeof chunk === 'string' || chunk.length > maxJoinedBytes) {
      this.#full = response;
      return this.#sendThroughNode(chunk);
    }
    this.#full = socket;
    return socket.write(framed(chunk), 'latin1');
  }

  #sendThroughNode(chunk: Buffer | string): boolean {
    const piece = ++this.#pieces;
    this.#isHeldByNode = true;
    const hasRoom = this.#response.write(chunk);
    // Behind what Node has put off itself.
    process.nextTick(() => {
      if (piece === this.#pieces) this.#isHeldByNode = false;
    });
    return hasRoom;
  }

  /** Only what a reader leaves lying is worth counting; it is counted until they have taken all of it. */
  #countUnsent(): void {
    this.#budget.setUnsent(this.#response.writableLength);
    if (this.#isCounted) return;
    this.#isCounted = true;
    this.#full.once('drain', () => {
      this.#isCounted = false;
      this.#budget.setUnsent(this.#response.writableLength);
    });
  }
}

/** Small answers travel as text, byte for byte: Node joins that with the head and sends both at once. */
const maxJoinedBytes = 16 * 1024;

/** As Node would frame it, in one write instead of four. */
function framed(chunk: Buffer): string {
  return `${chunk.length.toString(16)}\r\n${chunk.toString('latin1')}\r\n`;
}

function isStillArriving(request: IncomingMessage): boolean {
  if (request.complete || request.destroyed) return false;
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

/**
 * The end of an answer may close the connection. Under a caller who is still sending, that is a reset, and the
 * answer would be lost with it: so the answer goes out at once, its end when the rest of the upload is read away.
 */
function endAfterUpload(response: ServerResponse, chunk: Buffer | string | undefined): void {
  if (chunk !== undefined) response.write(chunk);
  const { req: request } = response;
  request.on('end', () => response.end());
  request.resume();
}
