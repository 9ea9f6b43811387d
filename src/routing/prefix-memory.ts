import { crc32 } from 'node:zlib';
import type { ParsedRequest } from '#vocabulary/inference';
import type { Station } from './station.ts';

/** Prompts are compared at these lengths, in bytes. */
const lengths = [512, 2048, 8192, 32_768];
const rememberedPerEngine = 4096;
/** Engines that are remembered for one beginning, the last that read it first. */
const maxHolders = 8;

/**
 * Which engines of a model have read which beginnings of prompts lately and may still hold them. Remembers a number
 * of them; the oldest goes first. Only a guess: nothing but the order between equals and the choice of an engine
 * depends on it.
 */
export class PrefixMemory {
  readonly #holders = new Map<number, readonly Station[]>();

  remember(request: ParsedRequest, station: Station, engines: number): void {
    for (const mark of marksOf(request)) {
      const before = this.#holders.get(mark) ?? [];
      this.#holders.delete(mark);
      const isKnown = before[0] === station;
      const others = isKnown ? before : before.filter((other) => other !== station).slice(0, maxHolders - 1);
      this.#holders.set(mark, isKnown ? before : [station, ...others]);
    }
    for (const oldest of this.#holders.keys()) {
      if (this.#holders.size <= rememberedPerEngine * engines) return;
      this.#holders.delete(oldest);
    }
  }

  /** Of those that hold the most, the favourite if it is one of them. */
  holderOf(
    request: ParsedRequest,
    isAble: (station: Station) => boolean,
    favourite?: Station,
  ): { readonly station: Station; readonly bytes: number } | undefined {
    if (this.#holders.size === 0) return undefined;
    const marks = marksOf(request);
    for (let at = marks.length - 1; at >= 0; at--) {
      const holders = this.#holders.get(marks[at] ?? 0);
      if (holders === undefined) continue;
      const station =
        favourite !== undefined && holders.includes(favourite) ? favourite : holders.find(isAble);
      if (station !== undefined) return { station, bytes: lengths[at] ?? 0 };
    }
    return undefined;
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
