import type { NativeContext } from '../native/native-bindings.ts';

/** One sequence of the native context and the tokens its cache holds. Their number is fixed at start. */
export interface Slot {
  readonly id: number;
  readonly tokens: number[];
  isBusy: boolean;
  /** Whose prompts they are: nobody else's is answered from them. */
  salt: string;
  /** Counts claims; the slot with the lowest was left alone longest. */
  lastClaim: number;
}

export interface Slots {
  readonly all: readonly Slot[];
  hasFree(): boolean;
  /** Gives a free slot whose cache already holds as much of the prompt as can be had. */
  claim(promptTokens: readonly number[], salt: string, mayReuse: boolean): Promise<Slot>;
  /** What was read stays in the cache for the next prompt that begins alike. */
  release(slot: Slot): void;
  /** Keeps the first `length` tokens, or fewer where the architecture cannot cut its cache. */
  cut(slot: Slot, length: number): void;
  /** Forgets what a step that failed may have written. False: this architecture cannot, so all is forgotten. */
  rewind(slot: Slot): boolean;
  commonPrefix(slot: Slot, tokens: readonly number[]): number;
}

/** Below this many tokens reading again is cheaper than copying. */
const copyFromTokens = 16;

export function createSlots(context: NativeContext, count: number): Slots {
  const all: Slot[] = Array.from({ length: count }, (_unused, id) => ({
    id,
    tokens: [],
    isBusy: false,
    salt: '',
    lastClaim: 0,
  }));
  let claims = 0;

  function cut(slot: Slot, length: number): void {
    if (slot.tokens.length <= length) return;
    const kept = context.removeTokenCellsFromSequence(slot.id, length, -1) ? length : 0;
    if (kept === 0) context.removeTokenCellsFromSequence(slot.id, 0, -1);
    slot.tokens.length = kept;
  }

  async function copy(source: Slot, target: Slot): Promise<void> {
    cut(target, 0);
    const highest = await context.copySequenceStateFromOtherSequence(target.id, source.id);
    if (highest === source.tokens.length - 1) for (const token of source.tokens) target.tokens.push(token);
    else context.removeTokenCellsFromSequence(target.id, 0, -1);
  }

  return {
    all,
    hasFree: () => all.some((slot) => !slot.isBusy),
    claim: async (promptTokens, salt, mayReuse) => {
      const free = all.filter((slot) => !slot.isBusy);
      const spare = nextToBusy(olderHalf(free), all);
      const prefixOf = (slot: Slot): number =>
        mayReuse && slot.salt === salt ? commonPrefix(slot, promptTokens) : 0;
      const donor = all.reduce((best, slot) => (prefixOf(slot) > prefixOf(best) ? slot : best), spare);
      // A cache of which most would be thrown away is worth more to whoever comes back to it.
      const isDonorTaken = donor.isBusy || prefixOf(donor) < donor.tokens.length / 2;
      const slot = isDonorTaken ? spare : donor;
      slot.isBusy = true;
      claims += 1;
      slot.lastClaim = claims;
      try {
        if (slot !== donor && prefixOf(donor) - prefixOf(slot) >= copyFromTokens) await copy(donor, slot);
        if (slot.salt !== salt) cut(slot, 0);
        slot.salt = salt;
        // The last token is always read again: its logits are what the first choice is made from.
        cut(slot, Math.min(prefixOf(slot), promptTokens.length - 1));
        return slot;
      } catch (error) {
        slot.isBusy = false;
        cut(slot, 0);
        throw error;
      }
    },
    release: (slot) => {
      slot.isBusy = false;
    },
    cut,
    rewind: (slot) => {
      if (context.removeTokenCellsFromSequence(slot.id, slot.tokens.length, -1)) return true;
      cut(slot, 0);
      return false;
    },
    commonPrefix,
  };
}

/** Those left alone longest: what the others hold is more likely to be asked for again. */
function olderHalf(free: readonly Slot[]): Slot[] {
  const oldestFirst = free.toSorted((one, other) => one.lastClaim - other.lastClaim);
  return oldestFirst.slice(0, Math.ceil(free.length / 2));
}

/** Sequences without a gap between them are computed in one pass. */
function nextToBusy(candidates: readonly Slot[], all: readonly Slot[]): Slot {
  const busyBeside = ({ id }: Slot) => [id - 1, id + 1].filter((beside) => all[beside]?.isBusy).length;
  return candidates.reduce((best, slot) => (busyBeside(slot) > busyBeside(best) ? slot : best));
}

function commonPrefix(slot: Slot, tokens: readonly number[]): number {
  const limit = Math.min(slot.tokens.length, tokens.length);
  let length = 0;
  while (length < limit && slot.tokens[length] === tokens[length]) length += 1;
  return length;
}
