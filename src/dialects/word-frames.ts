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
  #toldBefore: Buffer = nothing;
  #toldAfter: Buffer = nothing;
  #isToldAsItIs = true;
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

  /** Where they begin in what the caller is told. */
  get toldStart(): number {
    return this.#toldBefore.length;
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

  /** What the caller is told instead of a frame like the one that was learnt. */
  tell(frame: Buffer, endOfWords: number): Buffer {
    if (this.#isToldAsItIs) return frame;
    return Buffer.concat([this.#toldBefore, frame.subarray(this.start, endOfWords), this.#toldAfter]);
  }

  /**
   * From a frame of which is known that it holds nothing worth knowing but words; what the caller was told instead may
   * differ in anything else.
   */
  learn(frame: Buffer, told: Buffer = frame): void {
    const key = hasWords(frame, this.#saidKey)
      ? this.#saidKey
      : this.#thoughtKeys.find((candidate) => hasWords(frame, candidate));
    if (key === undefined) return;
    if (key !== this.#key) this.#inVain = 0;
    this.#key = key;
    if (this.#inVain === mostInVain) return;
    this.#inVain++;
    const words = this.#onlyWords(frame, key);
    const toldWords = told === frame ? words : this.#onlyWords(told, key);
    this.#before = nothing;
    if (words === undefined || toldWords === undefined) return;
    this.#isToldAsItIs = told.equals(frame);
    this.#before = Buffer.from(frame.subarray(0, words.start));
    this.#after = Buffer.from(frame.subarray(words.end));
    this.#toldBefore = Buffer.from(told.subarray(0, toldWords.start));
    this.#toldAfter = Buffer.from(told.subarray(toldWords.end));
  }

  /** Where they stand in one frame that has no others. */
  #onlyWords(frame: Buffer, key: Buffer): { readonly start: number; readonly end: number } | undefined {
    const start = startOfString(frame, key);
    const end = endOfString(frame, start);
    const hasOthers =
      start < 0 ||
      startOfString(frame, key, end) >= 0 ||
      [this.#saidKey, ...this.#thoughtKeys].some((other) => other !== key && hasWords(frame, other)) ||
      saysCalls.test(frame.toString('latin1'));
    return hasOthers || countFrames(frame) !== 1 ? undefined : { start, end };
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
