import type { NativeContext } from '../native/native-bindings.ts';

/** A cache and the tokens it holds. Their number is fixed at start. */
export interface Slot {
  /** The sequence of the native context where it lies at present. */
  id: number;
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
  /** Moves the busy ones side by side: only neighbours are computed in one pass, and every gap costs one more. */
  closeRanks(): Promise<void>;
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
  /** Not every architecture can copy its cache. */
  let canMove = true;

  function cut(slot: Slot, length: number): void {
    if (slot.tokens.length <= length) return;
    const kept = context.removeTokenCellsFromSequence(slot.id, length, -1) ? length : 0;
    if (kept === 0) context.removeTokenCellsFromSequence(slot.id, 0, -1);
    slot.tokens.length = kept;
  }

  /** Whether all of it came. */
  async function copy(source: Slot, target: Slot): Promise<boolean> {
    cut(target, 0);
    const highest = await context
      .copySequenceStateFromOtherSequence(target.id, source.id)
      .catch(() => undefined);
    const isWhole = highest === source.tokens.length - 1;
    if (isWhole) for (const token of source.tokens) target.tokens.push(token);
    else context.removeTokenCellsFromSequence(target.id, 0, -1);
    return isWhole;
  }

  /** Two slots change places; what `free` held is lost. */
  async function moveTo(slot: Slot, free: Slot): Promise<void> {
    cut(free, 0);
    if (slot.tokens.length > 0) canMove = await copy(slot, free);
    if (!canMove) return;
    context.removeTokenCellsFromSequence(slot.id, 0, -1);
    free.tokens.length = 0;
    [slot.id, free.id] = [free.id, slot.id];
  }

  return {
    all,
    hasFree: () => all.some((slot) => !slot.isBusy),
    claim: async (promptTokens, salt, mayReuse) => {
      const free = all.filter((slot) => !slot.isBusy);
      const spare = leftAloneLongest(free);
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
    closeRanks: async () => {
      const busy = all.filter(({ isBusy }) => isBusy);
      const free = all.filter(({ isBusy }) => !isBusy);
      const first = bestRow(busy, count);
      const isInRow = ({ id }: Slot) => id >= first && id < first + busy.length;
      for (const slot of busy.filter((each) => !isInRow(each))) {
        const gap = free.find(isInRow);
        // What lies in the gap may be asked for again: it takes the place of what will not.
        const spare = slot.tokens.length === 0 ? slot : leftAloneLongest(free);
        if (canMove && gap !== undefined && gap !== spare) await moveTo(gap, spare);
        if (canMove && slot !== spare) await moveTo(slot, spare);
      }
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

function leftAloneLongest(free: readonly Slot[]): Slot {
  return free.reduce((oldest, slot) => (slot.lastClaim < oldest.lastClaim ? slot : oldest));
}

/** The first of as many neighbouring places as there are busy slots, of which most are busy already. */
function bestRow(busy: readonly Slot[], places: number): number {
  const inRow = (first: number) => busy.filter(({ id }) => id >= first && id < first + busy.length).length;
  return Array.from({ length: places - busy.length + 1 }, (_unused, first) => first).reduce((best, first) =>
    inRow(first) > inRow(best) ? first : best,
  );
}

function commonPrefix(slot: Slot, tokens: readonly number[]): number {
  const limit = Math.min(slot.tokens.length, tokens.length);
  let length = 0;
  while (length < limit && slot.tokens[length] === tokens[length]) length += 1;
  return length;
}
