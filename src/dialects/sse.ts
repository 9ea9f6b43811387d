/** Server-sent events: framing only. What is inside the frames is for others to know. */

/** Nothing between us and the reader may hold a stream back, change it or press it together. */
export const eventStreamHeaders: readonly string[] = [
  'content-type',
  'text/event-stream; charset=utf-8',
  'cache-control',
  'no-cache, no-transform',
  'x-accel-buffering',
  'no',
];

/** The longest frame an engine may send; a longer one is an engine at fault, not a reason to run out of memory. */
export const maxFrameBytes = 8 * 1024 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Cuts a byte stream at frame borders, so that only whole frames travel on: an engine that dies in the middle of
 * one leaves nothing broken behind. Usually a read holds whole frames and comes back as it is, without a copy.
 */
export class FrameCutter {
  #held: Buffer[] = [];
  #heldBytes = 0;

  /** Bytes of a frame that has begun and not ended. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The whole frames known so far, or undefined when the current one has not ended yet. */
  push(chunk: Buffer): Buffer | undefined {
    if (this.#heldBytes === 0) return this.#cut(chunk, true);
    if (!chunk.includes(lineFeed)) {
      this.#hold(chunk);
      return undefined;
    }
    this.#held.push(chunk);
    const joined = Buffer.concat(this.#held, this.#heldBytes + chunk.length);
    this.#held = [];
    this.#heldBytes = 0;
    return this.#cut(joined, false);
  }

  #cut(bytes: Buffer, isBorrowed: boolean): Buffer | undefined {
    const border = lastFrameBorder(bytes);
    if (border === bytes.length) return bytes;
    const rest = bytes.subarray(border);
    // A slice of a socket's read buffer would keep the whole buffer alive: hold a copy.
    if (isBorrowed || border > 0) this.#hold(rest);
    else {
      this.#held.push(rest);
      this.#heldBytes += rest.length;
    }
    return border === 0 ? undefined : bytes.subarray(0, border);
  }

  #hold(bytes: Buffer): void {
    this.#held.push(Buffer.from(bytes));
    this.#heldBytes += bytes.length;
  }
}

/** The index behind the last blank line, 0 when there is none. Knows LF and CRLF. */
function lastFrameBorder(bytes: Buffer): number {
  const length = bytes.length;
  if (length >= 2 && bytes[length - 1] === lineFeed && bytes[length - 2] === lineFeed) return length;
  const plain = bytes.lastIndexOf('\n\n') + 2;
  const returned = bytes.lastIndexOf('\n\r\n') + 3;
  return Math.max(plain === 1 ? 0 : plain, returned === 2 ? 0 : returned);
}

/** Calls `visit` with each frame (its bytes, blank line included). `bytes` must hold whole frames. */
export function forEachFrame(bytes: Buffer, visit: (frame: Buffer) => void): void {
  let start = 0;
  while (start < bytes.length) {
    const end = nextFrameBorder(bytes, start);
    visit(bytes.subarray(start, end));
    start = end;
  }
}

function nextFrameBorder(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const feed = bytes.indexOf(lineFeed, at);
    if (feed < 0) return bytes.length;
    if (bytes[feed + 1] === lineFeed) return feed + 2;
    if (bytes[feed + 1] === carriageReturn && bytes[feed + 2] === lineFeed) return feed + 3;
    at = feed + 1;
  }
}

/** How many frames `bytes` holds; a cheap stand-in for the number of tokens. */
export function countFrames(bytes: Buffer): number {
  let count = 0;
  let at = 0;
  while (at < bytes.length) {
    at = nextFrameBorder(bytes, at);
    count++;
  }
  return count;
}

/** The text of a frame's `data:` lines, or undefined for comments and empty frames. */
export function frameData(frame: Buffer): string | undefined {
  const lines: string[] = [];
  for (const line of frame.toString('utf8', 0, frame.length).split(/\r?\n/)) {
    if (line.startsWith('data:')) lines.push(line.startsWith('data: ') ? line.slice(6) : line.slice(5));
  }
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** True when the last frame is `data: [DONE]`. */
export function endsWithDone(bytes: Buffer): boolean {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === lineFeed || bytes[end - 1] === carriageReturn)) end--;
  return bytes[end - 1] === 0x5d && bytes.toString('latin1', Math.max(0, end - 6), end) === '[DONE]';
}

export const doneFrame = 'data: [DONE]\n\n';

export function jsonFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Of headers as a flat list. */
export function isEventStream(headers: readonly string[]): boolean {
  return headers[headers.indexOf('content-type') + 1]?.startsWith('text/event-stream') === true;
}
