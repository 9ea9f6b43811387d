import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '#vocabulary/exchange';

/** An answer that goes out over a socket. Headers every answer carries are given once, at birth. */
export class HttpReply implements Reply {
  readonly #response: ServerResponse;
  #commonHeaders: readonly string[];
  hasBegun = false;
  hasEnded = false;

  constructor(response: ServerResponse, commonHeaders: readonly string[]) {
    this.#response = response;
    this.#commonHeaders = commonHeaders;
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  announce(headers: readonly string[]): void {
    if (headers.length > 0) this.#commonHeaders = [...this.#commonHeaders, ...headers];
  }

  begin(status: number, headers: readonly string[]): void {
    this.hasBegun = true;
    this.#response.writeHead(status, [...this.#commonHeaders, ...headers]);
  }

  write(chunk: Buffer | string): boolean {
    return this.#response.write(chunk);
  }

  onDrain(listener: () => void): void {
    this.#response.once('drain', listener);
  }

  end(chunk?: Buffer | string): void {
    this.hasEnded = true;
    const response = this.#response;
    if (isStillArriving(response.req)) endAfterUpload(response, chunk);
    else if (chunk === undefined) response.end();
    else if (typeof chunk === 'string' || chunk.length > MAX_JOINED_BYTES) response.end(chunk);
    else response.end(chunk.toString('latin1'), 'latin1');
  }
}

/** Small answers travel as text, byte for byte: Node joins that with the head and sends both at once. */
const MAX_JOINED_BYTES = 16 * 1024;

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
