import type { ServerResponse } from 'node:http';
import type { Reply } from '#vocabulary/exchange';

/** An answer that goes out over a socket. Headers every answer carries are given once, at birth. */
export class HttpReply implements Reply {
  readonly #response: ServerResponse;
  readonly #commonHeaders: readonly string[];
  hasBegun = false;
  hasEnded = false;

  constructor(response: ServerResponse, commonHeaders: readonly string[]) {
    this.#response = response;
    this.#commonHeaders = commonHeaders;
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
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
    if (chunk === undefined) this.#response.end();
    else this.#response.end(chunk);
  }
}
