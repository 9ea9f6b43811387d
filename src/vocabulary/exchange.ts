import type { IncomingHttpHeaders } from 'node:http';
import type { Cancellation } from './cancellation.ts';
import type { LinePlace } from './sharing.ts';
import type { MemoryShare } from './memory-share.ts';

/** One request and the place where its answer goes. Made by `http`, or by a chat generation for itself. */
export interface Exchange {
  /** Minted here; never taken from the caller. */
  readonly requestId: string;
  readonly method: string;
  /** Decoded once, slashes collapsed, no dot segments: what is authorised, routed and forwarded. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** How often the caller sent a header: `headers` keeps only one of several. */
  countHeader(lowerCaseName: string): number;
  /** Canonical address of the other end of the socket. */
  readonly peerAddress: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Monotonic. */
  readonly startedMs: number;
  readonly cancellation: Cancellation;
  readonly reply: Reply;
  readonly memory: MemoryShare;
  /** At most once. Refuses bodies over the limit, too slow, wrongly framed or of the wrong type. */
  readBody(limit?: BodyLimit): Promise<Buffer>;
  /**
   * Gives the memory of a large body back at once, instead of when the collector finds it. Only for whoever knows that
   * nobody looks at it any more; what looks all the same finds it empty.
   */
  forgetBody?(body: Buffer): void;
}

/** The same request with some of its parts replaced. */
export function exchangeWith(exchange: Exchange, changes: Partial<Exchange>): Exchange {
  const { requestId, method, path, query, headers, peerAddress, receivedAt, startedMs } = exchange;
  const { cancellation, reply, memory } = exchange;
  return {
    requestId,
    method,
    path,
    query,
    headers,
    peerAddress,
    receivedAt,
    startedMs,
    cancellation,
    reply,
    memory,
    countHeader: (name) => exchange.countHeader(name),
    readBody: (limit) => exchange.readBody(limit),
    ...changes,
  };
}

export interface BodyLimit {
  /** Less than what the service takes anywhere. */
  readonly maxBytes?: number;
  /** Not JSON but `application/octet-stream`. */
  readonly isPlainBytes?: boolean;
}

/** Where an answer is written: a socket, or the memory of a chat generation. */
export interface Reply {
  readonly hasBegun: boolean;
  readonly hasEnded: boolean;
  /** Bytes accepted but not yet taken by the reader. */
  readonly bufferedBytes: number;
  /** Told every second while the request waits in the line; only a reply that shows it by itself cares. */
  showPlace(place: LinePlace): void;
  /** Headers for whatever answer begins later, name after name; each in place of one announced before. */
  announce(headers: readonly string[]): void;
  /** Headers as a flat list, name after name; called once. */
  begin(status: number, headers: readonly string[]): void;
  /**
   * False asks the writer to wait for `onDrain`. Whoever knows that a frame holds nothing but words says where these
   * begin and end.
   */
  write(chunk: Buffer | string, wordsStart?: number, wordsEnd?: number): boolean;
  onDrain(listener: () => void): void;
  end(chunk?: Buffer | string): void;
}
