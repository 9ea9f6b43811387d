import { constants, type Http2Session, performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '#vocabulary/clock';
import { Http2StreamSocket, writeRequestHead } from './http2-stream.ts';
import { keptOpenMs } from './http-reply.ts';
import { type CallerSocket, peerAddressOf } from './sockets.ts';

export interface Http2Parts {
  readonly headerTimeoutMs: number;
  readonly clock: Clock;
  readonly isDraining: () => boolean;
  /** Takes a stream for a socket, or destroys it. */
  readonly onStream: (socket: CallerSocket) => void;
  readonly onClose: (connection: Http2Connection) => void;
}

/** What may be under way to us at a time on all streams together: it is read at once, and left to its stream. */
const windowBytes = 1024 * 1024;
/** So long the last words are left to arrive. */
const lingerMs = 5000;

/**
 * What Node bounds by itself, and keeps as it is: resets (a burst of 1000, then 33 a second), frames that are none,
 * settings, pings and continuations.
 */
const options = {
  settings: { maxConcurrentStreams: 100, initialWindowSize: 256 * 1024 },
  // Heads are judged, and answered, by whoever reads them; Node itself resets what is far too long.
  maxHeaderListPairs: 1000,
  /** In megabytes. All streams together hold as many pieces as there are streams. */
  maxSessionMemory: 32,
  // A field that we send twice is no reason to cut an answer.
  strictSingleValueFields: false,
};

/** One socket of a caller who speaks HTTP/2. Its streams are connections of their own; it knows whether there are any. */
export class Http2Connection {
  readonly #socket: TLSSocket;
  readonly #session: Http2Session;
  readonly #parts: Http2Parts;
  readonly #peerAddress: string;
  #streams = 0;
  #hasServed = false;
  /** When it was opened, had its last stream, or was told to go. */
  #sinceMs: number;

  constructor(socket: TLSSocket, parts: Http2Parts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#peerAddress = peerAddressOf(socket);
    this.#sinceMs = parts.clock.monotonicMs();
    const session = performServerHandshake(socket, options);
    this.#session = session;
    session.setLocalWindowSize(windowBytes);
    session.on('stream', (stream: ServerHttp2Stream, _headers: unknown, flags: number, fields: string[]) =>
      this.#serve(stream, (flags & constants.NGHTTP2_FLAG_END_STREAM) === 0, fields),
    );
    // The closing is what counts.
    session.on('error', () => {});
    socket.on('error', () => {});
    socket.once('end', () => socket.destroy());
    socket.once('close', () => parts.onClose(this));
  }

  /** Called every second. */
  checkTime(nowMs: number): void {
    if (this.#streams > 0) return;
    const forMs = nowMs - this.#sinceMs;
    if (this.#session.closed) {
      if (forMs > lingerMs) this.#socket.destroy();
    } else if (forMs > (this.#hasServed ? keptOpenMs : this.#parts.headerTimeoutMs)) this.leave();
  }

  /** The streams that are there come to their end; the caller opens others elsewhere. */
  leave(): void {
    if (this.#session.closed) return;
    this.#sinceMs = this.#parts.clock.monotonicMs();
    this.#session.close();
  }

  #serve(stream: ServerHttp2Stream, hasBody: boolean, fields: string[]): void {
    // The closing is what counts.
    stream.on('error', () => {});
    // Reset already.
    if (stream.closed) return;
    this.#streams++;
    stream.once('close', () => {
      this.#streams--;
      this.#sinceMs = this.#parts.clock.monotonicMs();
    });
    this.#hasServed = true;
    const head = writeRequestHead(fields, hasBody);
    if (head === undefined) stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    else this.#parts.onStream(new Http2StreamSocket(stream, head, this.#peerAddress));
    if (this.#parts.isDraining()) this.leave();
  }
}
