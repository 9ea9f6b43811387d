import { crc32 } from 'node:zlib';
import type { Envelope } from '#dialects/envelope';
import type { ParsedRequest } from '#vocabulary/inference';
import type { Station } from './station.ts';

/** Prompts are compared at these lengths, in bytes. */
const lengths = [512, 2048, 8192, 32_768];
const rememberedPerEngine = 2048;
/** Engines that are remembered for one beginning, the last that read it first. */
const maxHolders = 4;

/** An engine that has read so much of the beginning of a prompt, and the next best of them. */
export interface PromptHolder {
  readonly station: Station;
  readonly bytes: number;
  readonly next: PromptHolder | undefined;
}

/**
 * Which engines of a model have read which beginnings of prompts lately and may still hold them. Only a guess: nothing
 * but the order between equals and the choice of an engine depends on it.
 *
 * Bounded by two generations: when the younger is full, the older is forgotten as a whole. To take out single entries
 * would make a large map rebuild itself again and again.
 */
export class PrefixMemory {
  #younger = new Map<number, readonly Station[]>();
  #older = new Map<number, readonly Station[]>();

  remember(request: ParsedRequest, station: Station, engines: number): void {
    for (const mark of marksOf(request)) {
      const known = this.#younger.get(mark);
      if (known?.[0] === station) continue;
      const before = known ?? this.#older.get(mark);
      this.#younger.set(mark, before === undefined ? [station] : withFirst(before, station));
    }
    if (this.#younger.size < rememberedPerEngine * engines) return;
    this.#older = this.#younger;
    this.#younger = new Map();
  }

  /** Whoever has read a longer beginning has read the shortest. */
  knows(request: ParsedRequest): boolean {
    const [shortest] = marksOf(request);
    return shortest !== undefined && (this.#younger.has(shortest) || this.#older.has(shortest));
  }

  /**
   * Those that have read the most first, and of them the last that did: it is the one that surely still holds it. To take
   * the idlest of them would spread every prompt over all engines, until none of them has room for it.
   */
  holderOf(request: ParsedRequest): PromptHolder | undefined {
    let best: PromptHolder | undefined;
    for (const [at, mark] of marksOf(request).entries()) {
      const bytes = lengths[at] ?? 0;
      const stations = this.#younger.get(mark) ?? this.#older.get(mark) ?? [];
      for (const station of stations.toReversed()) best = { station, bytes, next: best };
    }
    return best;
  }
}

function withFirst(holders: readonly Station[], station: Station): readonly Station[] {
  if (holders[0] === station) return holders;
  return [station, ...holders.filter((other) => other !== station).slice(0, maxHolders - 1)];
}

/** Kept on the question itself: a map of all of them, weak or not, costs the collector more than working them out. */
const marksAt = Symbol('marks of its beginnings');

/** Engines keep the prompts of different members apart, so a beginning counts only for its own member. */
function marksOf({ envelope, model, share }: Asked): readonly number[] {
  return (envelope[marksAt] ??= workOut(envelope, `${model.id} ${share.cacheSalt}`));
}

type Asked = Pick<ParsedRequest, 'model' | 'share'> & {
  readonly envelope: Envelope & { [marksAt]?: readonly number[] };
};

function workOut({ body, fields }: Envelope, holder: string): readonly number[] {
  const field = fields.get('messages') ?? fields.get('prompt');
  const [shortest = 0] = lengths;
  if (field === undefined || field.valueEnd - field.valueStart < shortest) return [];
  const marks: number[] = [];
  let mark = crc32(holder);
  let from = field.valueStart;
  for (const length of lengths) {
    const to = field.valueStart + length;
    if (to > field.valueEnd) break;
    mark = crc32(body.subarray(from, to), mark);
    from = to;
    // As a small integer, which a map finds faster.
    marks.push(mark | 0);
  }
  return marks;
}
