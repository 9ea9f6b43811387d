import { type AnswerHead, BadAnswer, checkTrailers, readAnswerHead } from './answer-head.ts';

export interface AnswerListener {
  /** The head of the answer; those of interim answers (1xx) are dropped. */
  headArrived(head: AnswerHead): void;
  /** What one read brought of the body, in one piece and without its framing. Never empty. */
  bodyArrived(bytes: Buffer): void;
  answerEnded(): void;
}

const maxHeadBytes = 16 * 1024;
const maxInterimAnswers = 8;
const maxChunkLineBytes = 256;
/** Up to eight hexadecimal digits, four gigabytes; extensions, which nobody uses, are checked and dropped. */
const chunkLine =
  /^([\da-f]{1,8})(?:;[\w!#$%&'*+\-.^`|~]+(?:=(?:[\w!#$%&'*+\-.^`|~]+|"[\t\x20!\x23-\x5b\x5d-\x7e\x80-\xff]*"))?)*$/i;

/**
 * Takes one answer of an engine apart as it arrives, cut anywhere. Trusts no engine: throws `BadAnswer` at whatever
 * HTTP/1.1 does not allow, and holds no more than a head of it. What it is given may be overwritten: the pieces of a
 * read that holds several chunks are moved together where they lie.
 */
export class AnswerParser {
  readonly #listener: AnswerListener;
  #state: 'head' | 'length' | 'chunk-data' | 'chunk-line' | 'trailers' | 'until-close' | 'ended' = 'head';
  /** The beginning of a head or line that has not ended. */
  #held: Buffer = nothing;
  #interimAnswers = 0;
  /** Bytes of the body, or of its current chunk, that are still to come. */
  #leftBytes = 0;
  /** Whether the line break behind a chunk's bytes is still to come. */
  #owesLineBreak = false;
  #hasBytes = false;

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  /** Whether anything of the answer has come. */
  get hasBegun(): boolean {
    return this.#hasBytes;
  }

  /** How many bytes at the end of `arrived` were not part of the answer. */
  read(arrived: Buffer): number {
    this.#hasBytes = true;
    let bytes = arrived;
    if (this.#held.length > 0) {
      bytes = Buffer.concat([this.#held, arrived]);
      this.#held = nothing;
    }
    let at = 0;
    while (this.#state === 'head' && at < bytes.length) at = this.#readHead(bytes, at);
    switch (this.#state) {
      case 'length':
        return bytes.length - this.#readLength(bytes, at);
      case 'until-close':
        if (at < bytes.length) this.#listener.bodyArrived(bytes.subarray(at));
        return 0;
      case 'head':
        return 0;
      case 'ended':
        return bytes.length - at;
      case 'chunk-data':
      case 'chunk-line':
      case 'trailers':
        return bytes.length - this.#readChunks(bytes, at);
    }
  }

  /** The engine has closed the connection: the end of an answer without framing, and of no other. */
  close(): void {
    if (this.#state === 'ended') return;
    if (this.#state !== 'until-close') throw new BadAnswer('the connection was closed');
    this.#end();
  }

  /** Behind the head, or everything when the head has not ended. */
  #readHead(bytes: Buffer, start: number): number {
    const end = bytes.indexOf('\r\n\r\n', start, 'latin1');
    if (soFar(bytes, end) - start > maxHeadBytes) throw new BadAnswer('the head is too large');
    if (end < 0) {
      this.#hold(bytes, start);
      return bytes.length;
    }
    const head = readAnswerHead(bytes, start, end);
    if (head.status < 200) this.#skipInterim(head);
    else this.#begin(head);
    return end + 4;
  }

  #skipInterim({ status, isChunked, contentLength, staysOpen }: AnswerHead): void {
    if (status === 101) throw new BadAnswer('another protocol, which nobody asked for');
    if (isChunked || contentLength !== undefined) throw new BadAnswer('an interim answer with a body');
    if (!staysOpen) throw new BadAnswer('an interim answer that is the last one');
    if (++this.#interimAnswers > maxInterimAnswers) throw new BadAnswer('too many interim answers');
  }

  #begin(head: AnswerHead): void {
    const hasNoBody = head.status === 204 || head.status === 304;
    // What such a head says of a body may be true of an engine that does not know better: the connection ends.
    this.#listener.headArrived(hasNoBody ? { ...head, staysOpen: false } : head);
    if (hasNoBody || head.contentLength === 0) this.#end();
    else if (head.contentLength !== undefined) {
      this.#state = 'length';
      this.#leftBytes = head.contentLength;
    } else this.#state = head.isChunked ? 'chunk-line' : 'until-close';
  }

  #readLength(bytes: Buffer, start: number): number {
    const end = Math.min(bytes.length, start + this.#leftBytes);
    this.#leftBytes -= end - start;
    if (end > start) this.#listener.bodyArrived(wholeOrPart(bytes, start, end));
    if (this.#leftBytes === 0) this.#end();
    return end;
  }

  #readChunks(bytes: Buffer, from: number): number {
    let at = from;
    let start = 0;
    let end = 0;
    while (at < bytes.length && this.#state !== 'ended') {
      if (this.#state === 'trailers') at = this.#readTrailers(bytes, at);
      else if (this.#state === 'chunk-line') at = this.#readChunkLine(bytes, at);
      else {
        const stop = Math.min(bytes.length, at + this.#leftBytes);
        this.#leftBytes -= stop - at;
        if (end === 0) {
          start = at;
          end = stop;
        } else {
          bytes.copyWithin(end, at, stop);
          end += stop - at;
        }
        at = stop;
        if (this.#leftBytes > 0) break;
        this.#owesLineBreak = true;
        this.#state = 'chunk-line';
      }
    }
    if (end > 0) this.#listener.bodyArrived(bytes.subarray(start, end));
    if (this.#state === 'ended') this.#listener.answerEnded();
    return at;
  }

  /** Behind the line that says how long the next chunk is, or everything when it has not ended. */
  #readChunkLine(bytes: Buffer, from: number): number {
    let start = from;
    if (this.#owesLineBreak) {
      if (bytes.length - start === 1 && bytes[start] === carriageReturn) return this.#hold(bytes, start);
      if (bytes[start] !== carriageReturn || bytes[start + 1] !== lineFeed)
        throw new BadAnswer('a chunk is longer than it says');
      this.#owesLineBreak = false;
      start += 2;
    }
    const feed = bytes.indexOf(lineFeed, start);
    if ((feed < 0 ? bytes.length : feed) - start > maxChunkLineBytes)
      throw new BadAnswer('the length of a chunk is malformed');
    if (feed < 0) return this.#hold(bytes, start);
    const isEnded = feed > start && bytes[feed - 1] === carriageReturn;
    const [, digits] = (isEnded && chunkLine.exec(bytes.toString('latin1', start, feed - 1))) || [];
    if (digits === undefined) throw new BadAnswer('the length of a chunk is malformed');
    this.#leftBytes = Number.parseInt(digits, 16);
    this.#state = this.#leftBytes === 0 ? 'trailers' : 'chunk-data';
    return feed + 1;
  }

  /** Behind the blank line that ends the answer, or everything when it has not come. */
  #readTrailers(bytes: Buffer, start: number): number {
    if (bytes[start] === carriageReturn && bytes[start + 1] === lineFeed) {
      this.#state = 'ended';
      return start + 2;
    }
    const end = bytes.indexOf('\r\n\r\n', start, 'latin1');
    if (soFar(bytes, end) - start > maxHeadBytes) throw new BadAnswer('the trailers are too large');
    if (end < 0) return this.#hold(bytes, start);
    checkTrailers(bytes, start, end);
    this.#state = 'ended';
    return end + 4;
  }

  /** A copy: the bytes belong to whoever reads the socket. */
  #hold(bytes: Buffer, start: number): number {
    this.#held = Buffer.from(bytes.subarray(start));
    return bytes.length;
  }

  #end(): void {
    this.#state = 'ended';
    this.#listener.answerEnded();
  }
}

const nothing: Buffer = Buffer.alloc(0);
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** Where the lines end as far as they are known; the last bytes may already belong to the blank line. */
function soFar(bytes: Buffer, end: number): number {
  return end < 0 ? bytes.length - 3 : end;
}

function wholeOrPart(bytes: Buffer, start: number, end: number): Buffer {
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}
