import { ChunkedBody } from '#dialects/http-chunks';
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

/**
 * Takes one answer of an engine apart as it arrives, cut anywhere. Trusts no engine: throws `BadAnswer` at whatever
 * HTTP/1.1 does not allow, and holds no more than a head of it. What it is given may be overwritten: the pieces of a
 * read that holds several chunks are moved together where they lie.
 */
export class AnswerParser {
  readonly #listener: AnswerListener;
  #state: 'head' | 'length' | 'chunks' | 'until-close' | 'ended' = 'head';
  /** The beginning of a head that has not ended. */
  #held: Buffer = nothing;
  #interimAnswers = 0;
  /** Bytes of the body that are still to come. */
  #leftBytes = 0;
  #chunks: ChunkedBody | undefined;
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
      case 'chunks':
        return this.#readChunks(bytes, at);
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
      // A copy: the bytes belong to whoever reads the socket.
      this.#held = Buffer.from(bytes.subarray(start));
      // Another protocol may never send the end of a head.
      if (!isBegunBy(this.#held, statusLineStart)) throw new BadAnswer('the status line is malformed');
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
    } else this.#state = head.isChunked ? 'chunks' : 'until-close';
  }

  #readLength(bytes: Buffer, start: number): number {
    const end = Math.min(bytes.length, start + this.#leftBytes);
    this.#leftBytes -= end - start;
    if (end > start) this.#listener.bodyArrived(wholeOrPart(bytes, start, end));
    if (this.#leftBytes === 0) this.#end();
    return end;
  }

  #readChunks(bytes: Buffer, start: number): number {
    this.#chunks ??= new ChunkedBody({
      arrived: (piece) => this.#listener.bodyArrived(piece),
      checkTrailers,
      fault: (why) => new BadAnswer(why),
    });
    const behind = this.#chunks.read(bytes, start);
    if (this.#chunks.hasEnded) this.#end();
    return behind;
  }

  #end(): void {
    this.#state = 'ended';
    this.#listener.answerEnded();
  }
}

const nothing: Buffer = Buffer.alloc(0);
const statusLineStart = Buffer.from('HTTP/1.');

/** As far as there are bytes. */
function isBegunBy(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return bytes.compare(start, 0, length, 0, length) === 0;
}

/** Where the lines end as far as they are known; the last bytes may already belong to the blank line. */
function soFar(bytes: Buffer, end: number): number {
  return end < 0 ? bytes.length - 3 : end;
}

function wholeOrPart(bytes: Buffer, start: number, end: number): Buffer {
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}
