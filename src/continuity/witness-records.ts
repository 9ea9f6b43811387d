/** How an answer is told to its witness: records of one line (`frame ID BYTES`) and so many bytes behind it. */
import { maxFrameBytes } from '#dialects/sse';

export type RecordKind = 'begin' | 'body' | 'frame' | 'end' | 'forget' | 'alive' | 'yours' | 'heir';

export interface WitnessRecord {
  readonly kind: RecordKind;
  readonly id: string;
  readonly payload: Buffer;
}

const nothing = Buffer.alloc(0);
const maxLineBytes = 128;
const lineFeed = 0x0a;
const form = /^(begin|body|frame|end|forget|alive|yours|heir) ([\w-]{1,64}) (\d{1,10})$/;

export function writeRecord(kind: RecordKind, id: string, payload: Buffer = nothing): Buffer {
  return Buffer.concat([Buffer.from(`${kind} ${id} ${payload.length}\n`), payload]);
}

/** Reads records as their bytes arrive. Throws at what is none, and at one that is larger than any may be. */
export class RecordReader {
  readonly #maxBytes: number;
  readonly #heard: (record: WitnessRecord) => void;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** So many are needed before there is anything to read. */
  #wanted = 1;

  constructor(maxBodyBytes: number, heard: (record: WitnessRecord) => void) {
    // Frames have a number more than an engine may send.
    this.#maxBytes = Math.max(maxBodyBytes, maxFrameBytes + maxLineBytes);
    this.#heard = heard;
  }

  push(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes < this.#wanted) return;
    let rest = this.#parts.length === 1 ? bytes : Buffer.concat(this.#parts);
    for (let length = this.#readOne(rest); length > 0; length = this.#readOne(rest))
      rest = rest.subarray(length);
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
  }

  /** The bytes of the record at the beginning; 0 when it is not all here. */
  #readOne(bytes: Buffer): number {
    const end = bytes.subarray(0, maxLineBytes).indexOf(lineFeed);
    this.#wanted = bytes.length + 1;
    if (end < 0) {
      if (bytes.length >= maxLineBytes) throw new Error('the line of a record has no end');
      return 0;
    }
    const [, kind, id = '', size] = form.exec(bytes.toString('latin1', 0, end)) ?? [];
    if (kind === undefined) throw new Error('this is no record');
    const length = end + 1 + Number(size);
    if (length > this.#maxBytes + maxLineBytes) throw new Error('a record is larger than any may be');
    this.#wanted = length;
    if (bytes.length < length) return 0;
    this.#heard({ kind: kind as RecordKind, id, payload: bytes.subarray(end + 1, length) });
    return length;
  }
}
