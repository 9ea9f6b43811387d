import { endOfString, startOfString } from '#dialects/frame-strings';
import { type MemoryShare, takesForAnswer } from '#vocabulary/memory-share';

/** Longer answers are not kept: reading them again would take an engine longer than anybody waits. */
const maxBytes = 1024 * 1024;
const firstBytes = 512;

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
    const start = startOfString(frame, `"${key}"`);
    if (start < 0) return false;
    const end = endOfString(frame, start);
    if (end > start) this.#keep(frame, start, end);
    return end > start;
  }

  appendWords(frame: Buffer, start: number, end: number): void {
    this.#keep(frame, start, end);
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
    if (size > maxBytes || !takesForAnswer(this.#memory, size - this.#bytes.length)) {
      this.close();
      this.#isLost = true;
      return;
    }
    const larger = Buffer.allocUnsafeSlow(size);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
