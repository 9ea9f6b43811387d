import type { AutomatonState, Expression } from './expression.ts';
import { createMachine, type MachineState } from './machine.ts';

export interface DistinctItems {
  /** Scalars with one spelling for each value, so that equal values are equal texts. */
  readonly item: Expression;
  /** Whether the list may be empty. */
  readonly mayBeEmpty: boolean;
  readonly maxItems: number;
  readonly allowSpaces: boolean;
}

/** A list without its brackets in which no item comes twice. Remembers what was written, and never leads into a dead end. */
export function distinctItems(list: DistinctItems): Expression {
  const none = new UsedTexts(createMachine(list.item).start(), new Map(), false);
  return new BeforeItem(list, none, 0, list.mayBeEmpty);
}

/** The texts used so far, as a trie that never changes: what a generation adds, others do not see. */
class UsedTexts {
  /** Where an item stands after this beginning. */
  readonly state: MachineState;
  readonly followers: ReadonlyMap<number, UsedTexts>;
  readonly isUsed: boolean;
  private least: number | undefined;

  constructor(state: MachineState, followers: ReadonlyMap<number, UsedTexts>, isUsed: boolean) {
    this.state = state;
    this.followers = followers;
    this.isUsed = isUsed;
  }

  /** Bytes to the nearest end that has not been used; Infinity when all have. */
  get minimumBytes(): number {
    this.least ??= this.measure();
    return this.least;
  }

  with(text: Uint8Array, at = 0): UsedTexts {
    const byte = text[at];
    if (byte === undefined) return new UsedTexts(this.state, this.followers, true);
    const next = this.followers.get(byte) ?? unused(this.state.step(byte));
    if (next === undefined) return this;
    return new UsedTexts(this.state, new Map(this.followers).set(byte, next.with(text, at + 1)), this.isUsed);
  }

  private measure(): number {
    if (this.state.isComplete && !this.isUsed) return 0;
    const possible = this.state.minimumBytesToEnd;
    let least = Infinity;
    for (let byte = 0; byte < 256 && least > possible; byte += 1) {
      const follower = this.followers.get(byte);
      const rest = follower?.minimumBytes ?? this.state.step(byte)?.minimumBytesToEnd ?? Infinity;
      least = Math.min(least, rest + 1);
    }
    return least;
  }
}

function unused(state: MachineState | undefined): UsedTexts | undefined {
  return state && new UsedTexts(state, new Map(), false);
}

const [comma, space] = [0x2c, 0x20];

/** At the beginning of the list, or behind a comma. */
class BeforeItem implements AutomatonState {
  readonly kind = 'automaton';
  readonly isAccepting: boolean;
  readonly continues = true;
  private readonly list: DistinctItems;
  private readonly used: UsedTexts;
  private readonly count: number;
  private readonly maySpace: boolean;

  constructor(list: DistinctItems, used: UsedTexts, count: number, isAccepting: boolean, maySpace = false) {
    this.list = list;
    this.used = used;
    this.count = count;
    this.isAccepting = isAccepting;
    this.maySpace = maySpace;
  }

  get minimumBytes(): number {
    return this.isAccepting ? 0 : this.used.minimumBytes;
  }

  next(byte: number): AutomatonState | undefined {
    if (byte === space && this.maySpace) return new BeforeItem(this.list, this.used, this.count, false);
    const { list, used, count } = this;
    return new InItem(list, used, count, { state: used.state, trail: used, written: undefined }).next(byte);
  }
}

interface Written {
  readonly byte: number;
  readonly before: Written | undefined;
}

interface Place {
  readonly state: MachineState;
  /** The used texts that begin like this item; undefined when none does. */
  readonly trail: UsedTexts | undefined;
  readonly written: Written | undefined;
}

class InItem implements AutomatonState {
  readonly kind = 'automaton';
  readonly continues = true;
  readonly isAccepting: boolean;
  private readonly list: DistinctItems;
  private readonly used: UsedTexts;
  private readonly count: number;
  private readonly place: Place;

  constructor(list: DistinctItems, used: UsedTexts, count: number, place: Place) {
    this.list = list;
    this.used = used;
    this.count = count;
    this.place = place;
    this.isAccepting = place.state.isComplete && place.trail?.isUsed !== true;
  }

  get minimumBytes(): number {
    return this.place.trail?.minimumBytes ?? this.place.state.minimumBytesToEnd;
  }

  /** Where any plain text may follow, it may also leave all texts that were used. */
  get takesPlainText(): boolean {
    return this.place.state.takesPlainText;
  }

  next(byte: number): AutomatonState | undefined {
    const { state, trail, written } = this.place;
    if (byte === comma && this.isAccepting) return this.afterComma();
    const after = state.step(byte);
    if (after === undefined) return undefined;
    const place = { state: after, trail: trail?.followers.get(byte), written: { byte, before: written } };
    const next = new InItem(this.list, this.used, this.count, place);
    return next.minimumBytes === Infinity ? undefined : next;
  }

  private afterComma(): BeforeItem | undefined {
    const count = this.count + 1;
    if (count >= this.list.maxItems) return undefined;
    const used = this.used.with(textOf(this.place.written));
    if (used.minimumBytes === Infinity) return undefined;
    return new BeforeItem(this.list, used, count, false, this.list.allowSpaces);
  }
}

function textOf(written: Written | undefined): Uint8Array {
  const bytes: number[] = [];
  for (let at = written; at !== undefined; at = at.before) bytes.push(at.byte);
  return Uint8Array.from(bytes.toReversed());
}
