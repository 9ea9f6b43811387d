/** How the two sides that a body in chunks can have are told what it holds, and what is wrong with it. */
export interface ChunkedBodyParts {
  /** What one read brought, in one piece and without its framing. Never empty. */
  readonly arrived: (bytes: Buffer) => void;
  /** Throws at fields behind the last chunk that are none. `end`: where the line break of the last one begins. */
  readonly checkTrailers: (bytes: Buffer, start: number, end: number) => void;
  readonly fault: (why: string) => Error;
}

const maxTrailerBytes = 16 * 1024;
const maxLineBytes = 256;
/** Four gigabytes. */
const maxDigits = 8;
/** Hexadecimal digits; extensions, which nobody uses, are checked and dropped. */
const sizeLine =
  /^[\da-f]{1,8}(?:;[\w!#$%&'*+\-.^`|~]+(?:=(?:[\w!#$%&'*+\-.^`|~]+|"[\t\x20!\x23-\x5b\x5d-\x7e\x80-\xff]*"))?)*$/i;

/**
 * Takes a body of HTTP/1.1 that comes in chunks apart as it arrives, cut anywhere. Trusts nobody, and holds no more than
 * a line. What it is given may be overwritten: the pieces of a read that holds several chunks are moved together where
 * they lie.
 */
export class ChunkedBody {
  readonly #parts: ChunkedBodyParts;
  #state: 'size' | 'data' | 'trailers' | 'ended' = 'size';
  /** The beginning of a line that has not ended. */
  #held: Buffer = nothing;
  /** Bytes of the current chunk that are still to come. */
  #leftBytes = 0;
  /** Whether the line break behind a chunk's bytes is still to come. */
  #owesLineBreak = false;

  constructor(parts: ChunkedBodyParts) {
    this.#parts = parts;
  }

  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** Reads from `from` to the end of the body at most. How many bytes at the end are not part of it. */
  read(arrived: Buffer, from: number): number {
    const isWhole = this.#held.length === 0;
    const bytes = isWhole ? arrived : Buffer.concat([this.#held, arrived.subarray(from)]);
    this.#held = nothing;
    // Whoever gets the bytes may keep them to itself.
    const { length } = bytes;
    let at = isWhole ? from : 0;
    let start = 0;
    let end = 0;
    while (at < length && this.#state !== 'ended') {
      if (this.#state === 'size') at = this.#readSize(bytes, at);
      else if (this.#state === 'trailers') at = this.#readTrailers(bytes, at);
      else {
        const stop = Math.min(length, at + this.#leftBytes);
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
        this.#state = 'size';
      }
    }
    if (end > start) this.#parts.arrived(start === 0 && end === length ? bytes : bytes.subarray(start, end));
    return length - at;
  }

  /** Behind the line that says how long the next chunk is, or everything when it has not ended. */
  #readSize(bytes: Buffer, from: number): number {
    const { fault } = this.#parts;
    let start = from;
    if (this.#owesLineBreak) {
      if (bytes.length - start === 1 && bytes[start] === carriageReturn) return this.#hold(bytes, start);
      if (bytes[start] !== carriageReturn || bytes[start + 1] !== lineFeed)
        throw fault('a chunk is longer than it says');
      this.#owesLineBreak = false;
      start += 2;
    }
    let end = start;
    let size = 0;
    while (end - start < maxDigits && digitOf(bytes[end]) < 16) size = size * 16 + digitOf(bytes[end++]);
    if (end === start || bytes[end] !== carriageReturn || bytes[end + 1] !== lineFeed) {
      const lineEnd = this.#judgeSizeLine(bytes, start);
      if (lineEnd < 0) return this.#hold(bytes, start);
      end = lineEnd;
    }
    this.#leftBytes = size;
    this.#state = size === 0 ? 'trailers' : 'data';
    return end + 2;
  }

  /** Where a line that holds more than digits ends, or -1 when it has not ended. */
  #judgeSizeLine(bytes: Buffer, start: number): number {
    const feed = bytes.indexOf(lineFeed, start);
    const isTooLong = (feed < 0 ? bytes.length : feed) - start > maxLineBytes;
    if (feed < 0 && !isTooLong) return -1;
    const isEnded = feed > start && bytes[feed - 1] === carriageReturn;
    if (isTooLong || !isEnded || !sizeLine.test(bytes.toString('latin1', start, feed - 1)))
      throw this.#parts.fault('the length of a chunk is malformed');
    return feed - 1;
  }

  /** Behind the blank line that ends the body, or everything when it has not come. */
  #readTrailers(bytes: Buffer, start: number): number {
    if (bytes[start] === carriageReturn && bytes[start + 1] === lineFeed) {
      this.#state = 'ended';
      return start + 2;
    }
    const end = bytes.indexOf('\r\n\r\n', start, 'latin1');
    // The last bytes may already belong to the blank line.
    if ((end < 0 ? bytes.length - 3 : end) - start > maxTrailerBytes)
      throw this.#parts.fault('the trailers are too large');
    if (end < 0) return this.#hold(bytes, start);
    this.#parts.checkTrailers(bytes, start, end);
    this.#state = 'ended';
    return end + 4;
  }

  /** A copy: a few bytes are not to keep the memory of a whole read. */
  #hold(bytes: Buffer, start: number): number {
    this.#held = Buffer.from(bytes.subarray(start));
    return bytes.length;
  }
}

/** 16 and more where it is none. */
function digitOf(byte: number | undefined): number {
  return hexadecimal[byte ?? 0] ?? 16;
}

const hexadecimal = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return /[\da-f]/i.test(character) ? Number.parseInt(character, 16) : 16;
});
const nothing: Buffer = Buffer.alloc(0);
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
