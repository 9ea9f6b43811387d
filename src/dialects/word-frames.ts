import { endOfString, startOfString } from './frame-strings.ts';
import { countFrames } from './sse.ts';

const quoteMark = 0x22;
const backslash = 0x5c;
const blank = 0x20;
const saysCalls = /"tool_calls"\s*:\s*\[\s*\{/;

/** Frames that differ in more than their words would be learnt one after the other, all in vain. */
const mostInVain = 8;

/**
 * Most frames of a stream differ from the one before in their words alone. Whoever has searched one of them knows what
 * the others hold, because no words can look like a key: their quotes are escaped.
 */
export class WordFrames {
  readonly #saidKey: Buffer;
  readonly #thoughtKeys: readonly Buffer[];
  #key: Buffer | undefined;
  #before: Buffer = nothing;
  #after: Buffer = nothing;
  #inVain = 0;

  /** Which key the answer's words stand behind, and which its thoughts. Each with its quotes. */
  constructor(saidKey: Buffer, thoughtKeys: readonly Buffer[]) {
    this.#saidKey = saidKey;
    this.#thoughtKeys = thoughtKeys;
  }

  /** Where the words begin. */
  get start(): number {
    return this.#before.length;
  }

  /** Whether they belong to the answer, and not to the thoughts before it. */
  get areSaid(): boolean {
    return this.#key === this.#saidKey;
  }

  /** Where the words end of what is one frame like the one that was learnt; -1 for everything else. */
  endOfWords(frames: Buffer): number {
    const start = this.#before.length;
    const end = frames.length - this.#after.length;
    if (start === 0 || end < start || !isAt(frames, end, this.#after) || !isAt(frames, 0, this.#before))
      return -1;
    let at = start;
    while (at < end) {
      const byte = frames[at] ?? 0;
      if (byte === quoteMark || byte < blank) return -1;
      at += byte === backslash ? 2 : 1;
    }
    if (at !== end) return -1;
    this.#inVain = 0;
    return end;
  }

  /** From a frame of which is known that it holds nothing worth knowing but words. */
  learn(frame: Buffer): void {
    const key = hasWords(frame, this.#saidKey)
      ? this.#saidKey
      : this.#thoughtKeys.find((candidate) => hasWords(frame, candidate));
    if (key === undefined) return;
    if (key !== this.#key) this.#inVain = 0;
    this.#key = key;
    if (this.#inVain === mostInVain) return;
    this.#inVain++;
    const start = startOfString(frame, key);
    const end = endOfString(frame, start);
    const hasMore = startOfString(frame, key, end) >= 0 || saysCalls.test(frame.toString('latin1'));
    const isPlain = !hasMore && countFrames(frame) === 1;
    this.#before = isPlain ? Buffer.from(frame.subarray(0, start)) : nothing;
    this.#after = isPlain ? Buffer.from(frame.subarray(end)) : nothing;
  }
}

function hasWords(frame: Buffer, quotedKey: Buffer): boolean {
  const start = startOfString(frame, quotedKey);
  return start >= 0 && frame[start] !== quoteMark;
}

function isAt(bytes: Buffer, from: number, wanted: Buffer): boolean {
  return wanted.compare(bytes, from, from + wanted.length) === 0;
}

const nothing: Buffer = Buffer.alloc(0);
