import type { MemoryShare } from '#vocabulary/memory-share';
import { Refusal } from '#vocabulary/refusal';

/** Longer answers are not kept: reading them again would take an engine longer than anybody waits. */
const maxBytes = 1024 * 1024;
const firstBytes = 512;
const quoteMark = 0x22;
const backslash = 0x5c;
const colonMark = 0x3a;

/** The strings behind one key in frame after frame, with their escapes, in one buffer that grows. */
export class GrowingText {
  readonly #memory: MemoryShare;
  #bytes = Buffer.alloc(0);
  #length = 0;
  #isLost = false;

  constructor(memory: MemoryShare) {
    this.#memory = memory;
  }

  /** True when the frame has words behind this key. */
  append(frame: Buffer, key: string): boolean {
    for (let at = frame.indexOf(`"${key}"`); at >= 0; at = frame.indexOf(`"${key}"`, at + 1)) {
      const start = stringAfter(frame, at + key.length + 2);
      if (start === undefined) continue;
      const end = endOfString(frame, start);
      if (end > start) this.#keep(frame, start, end);
      return end > start;
    }
    return false;
  }

  /** Undefined when it could not be kept. */
  read(): string | undefined {
    if (this.#isLost) return undefined;
    try {
      return JSON.parse(`"${this.#bytes.toString('utf8', 0, this.#length)}"`) as string;
    } catch {
      return undefined;
    }
  }

  close(): void {
    this.#memory.give(this.#bytes.length);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }

  #keep(frame: Buffer, start: number, end: number): void {
    const needed = this.#length + end - start;
    if (needed > this.#bytes.length && !this.#isLost) this.#grow(needed);
    if (this.#isLost) return;
    frame.copy(this.#bytes, this.#length, start, end);
    this.#length = needed;
  }

  #grow(needed: number): void {
    let size = Math.max(firstBytes, this.#bytes.length);
    while (size < needed) size *= 2;
    if (size > maxBytes || !this.#takes(size - this.#bytes.length)) {
      this.close();
      this.#isLost = true;
      return;
    }
    const larger = Buffer.allocUnsafeSlow(size);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #takes(bytes: number): boolean {
    try {
      this.#memory.takeForAnswer(bytes);
      return true;
    } catch (thrown) {
      if (thrown instanceof Refusal) return false;
      throw thrown;
    }
  }
}

/** Behind the opening quote of the value; undefined when it is no string. */
function stringAfter(frame: Buffer, from: number): number | undefined {
  const colon = skipBlanks(frame, from);
  if (frame[colon] !== colonMark) return undefined;
  const quote = skipBlanks(frame, colon + 1);
  return frame[quote] === quoteMark ? quote + 1 : undefined;
}

function endOfString(frame: Buffer, start: number): number {
  let at = start;
  while (at < frame.length && frame[at] !== quoteMark) at += frame[at] === backslash ? 2 : 1;
  return Math.min(at, frame.length);
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20) at++;
  return at;
}
