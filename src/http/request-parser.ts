import { ChunkedBody } from '#dialects/http-chunks';
import {
  BadRequest,
  checkBegunHead,
  checkTrailers,
  readRequestHead,
  type RequestHead,
} from './request-head.ts';

/** Nobody keeps a connection busy with nothing. */
const maxBlankLines = 8;

export interface RequestListener {
  headArrived(head: RequestHead): void;
  /** What one read brought of the body, in one piece and without its framing. Never empty. */
  bodyArrived(bytes: Buffer): void;
  requestEnded(): void;
}

/**
 * Takes the requests of one connection apart as they arrive, cut anywhere. Trusts nobody: throws `BadRequest` at
 * whatever HTTP/1.1 does not allow, and holds no more than a head. What it is given is its own.
 */
export class RequestParser {
  readonly #listener: RequestListener;
  readonly #maxHeadBytes: number;
  #state: 'head' | 'length' | 'chunks' = 'head';
  /** The beginning of a head that has not ended. */
  #held: Buffer = nothing;
  #blankLines = 0;
  /** Bytes of the body that are still to come. */
  #leftBytes = 0;
  #chunks: ChunkedBody | undefined;

  constructor(listener: RequestListener, maxHeadBytes: number) {
    this.#listener = listener;
    this.#maxHeadBytes = maxHeadBytes;
  }

  /** Whether a request has begun and not ended. */
  get isUnderWay(): boolean {
    return this.#state !== 'head' || this.#held.length > 0;
  }

  /** Whether the head of a request is still to come, or to end. */
  get awaitsHead(): boolean {
    return this.#state === 'head';
  }

  /** Reads to the end of one request at most. How many bytes at the end of `arrived` are not part of it. */
  read(arrived: Buffer): number {
    if (this.#state === 'length') return this.#readLength(arrived, 0);
    if (this.#state === 'chunks') return this.#readChunks(arrived, 0);
    const heldBytes = this.#held.length;
    const bytes = heldBytes === 0 ? arrived : Buffer.concat([this.#held, arrived]);
    this.#held = nothing;
    return this.#readHead(bytes, heldBytes);
  }

  #readHead(bytes: Buffer, knownBytes: number): number {
    let start = 0;
    // Blank lines before a request, which some send behind the one before, are no part of it.
    while (bytes[start] === carriageReturn && bytes[start + 1] === lineFeed) {
      if (++this.#blankLines > maxBlankLines) throw new BadRequest('blank lines and no request');
      start += 2;
    }
    const end = bytes.indexOf('\r\n\r\n', Math.max(start, knownBytes - 3), 'latin1');
    // The last bytes may already belong to the blank line.
    if ((end < 0 ? bytes.length - 3 : end) - start > this.#maxHeadBytes)
      throw new BadRequest('the head is too large', true);
    if (end < 0) {
      // A copy: a few bytes are not to keep the memory of a whole read.
      this.#held = Buffer.from(bytes.subarray(start));
      if (this.#held.length > 0 && !isBlankLineBegun(this.#held))
        checkBegunHead(this.#held, Math.max(0, knownBytes - start - 1));
      return 0;
    }
    return this.#begin(readRequestHead(bytes.toString('latin1', start, end + 2)), bytes, end + 4);
  }

  #begin(head: RequestHead, bytes: Buffer, bodyStart: number): number {
    const { contentLength, isChunked } = head;
    this.#blankLines = 0;
    if (isChunked) this.#state = 'chunks';
    else if (contentLength > 0) {
      this.#state = 'length';
      this.#leftBytes = contentLength;
    }
    this.#listener.headArrived(head);
    if (isChunked) return this.#readChunks(bytes, bodyStart);
    if (contentLength > 0) return this.#readLength(bytes, bodyStart);
    this.#end();
    return bytes.length - bodyStart;
  }

  #readLength(bytes: Buffer, start: number): number {
    const behind = Math.max(0, bytes.length - start - this.#leftBytes);
    const end = bytes.length - behind;
    this.#leftBytes -= end - start;
    if (end > start) this.#listener.bodyArrived(wholeOrPart(bytes, start, end));
    if (this.#leftBytes === 0) this.#end();
    return behind;
  }

  #readChunks(bytes: Buffer, start: number): number {
    this.#chunks ??= new ChunkedBody({
      arrived: (piece) => this.#listener.bodyArrived(piece),
      checkTrailers: (all, from, to) => checkTrailers(all.toString('latin1', from, to + 2)),
      fault: (why) => new BadRequest(why),
    });
    const behind = this.#chunks.read(bytes, start);
    if (!this.#chunks.hasEnded) return behind;
    this.#chunks = undefined;
    this.#end();
    return behind;
  }

  #end(): void {
    this.#state = 'head';
    this.#listener.requestEnded();
  }
}

const nothing: Buffer = Buffer.alloc(0);
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

function isBlankLineBegun(bytes: Buffer): boolean {
  return bytes.length === 1 && bytes[0] === carriageReturn;
}

function wholeOrPart(bytes: Buffer, start: number, end: number): Buffer {
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}
