import { crc32 } from 'node:zlib';
import type { ParsedRequest } from '#vocabulary/inference';

/** Prompts are compared at these lengths, in bytes. */
const lengths = [512, 2048, 8192, 32_768];
const maxRemembered = 4096;

/**
 * Which beginnings of prompts an engine has read lately and may still hold. Remembers a number of them; the oldest
 * goes first. Only a guess: nothing but the order between equals and the choice of an engine depends on it.
 */
export class PrefixMemory {
  readonly #held = new Set<number>();

  remember(request: ParsedRequest): void {
    for (const mark of marksOf(request)) {
      this.#held.delete(mark);
      this.#held.add(mark);
    }
    for (const oldest of this.#held) {
      if (this.#held.size <= maxRemembered) return;
      this.#held.delete(oldest);
    }
  }

  heldBytes(request: ParsedRequest): number {
    const marks = marksOf(request);
    for (let at = marks.length - 1; at >= 0; at--) {
      const mark = marks[at];
      if (mark !== undefined && this.#held.has(mark)) return lengths[at] ?? 0;
    }
    return 0;
  }
}

const known = new WeakMap<ParsedRequest, readonly number[]>();

/** Engines keep the prompts of different members apart, so a beginning counts only for its own member. */
function marksOf(request: ParsedRequest): readonly number[] {
  const before = known.get(request);
  if (before !== undefined) return before;
  const { body, fields } = request.envelope;
  const field = fields.get('messages') ?? fields.get('prompt');
  const marks: number[] = [];
  if (field !== undefined) {
    let mark = crc32(`${request.model.id} ${request.share.cacheSalt}`);
    let from = field.valueStart;
    for (const length of lengths) {
      const to = field.valueStart + length;
      if (to > field.valueEnd) break;
      mark = crc32(body.subarray(from, to), mark);
      from = to;
      marks.push(mark);
    }
  }
  known.set(request, marks);
  return marks;
}
