import type { AutomatonState, Expression } from './expression.ts';
import { createMachine, type MachineState } from './machine.ts';

export interface DistinctItems {
  /** Has one spelling for each value, but for spaces between its parts, so that equal values are equal texts. */
  readonly item: Expression;
  /** Whether the list may be empty. */
  readonly mayBeEmpty: boolean;
  readonly maxItems: number;
  readonly allowSpaces: boolean;
}

/** A list without its brackets in which no item comes twice. Remembers what was written, and never leads into a dead end. */
export function distinctItems(list: DistinctItems): Expression {
  return new BeforeItem(list, undefined, 0, list.mayBeEmpty);
}

/** Where in JSON a byte stands: spaces mean nothing outside of strings. */
type Whereabouts = 'outside' | 'in-string' | 'escaped';

function whereaboutsAfter(byte: number, at: Whereabouts): Whereabouts {
  if (at === 'escaped') return 'in-string';
  if (byte === quote) return at === 'outside' ? 'in-string' : 'outside';
  return at === 'in-string' && byte === backslash ? 'escaped' : at;
}

/** The texts used so far, as a trie that never changes: what a generation adds, others do not see. */
class UsedTexts {
  /** Where an item stands after this beginning. */
  readonly state: MachineState;
  readonly at: Whereabouts;
  readonly followers: ReadonlyMap<number, UsedTexts>;
  readonly isUsed: boolean;
  private least: number | undefined;

  constructor(
    state: MachineState,
    at: Whereabouts,
    followers: ReadonlyMap<number, UsedTexts> = new Map(),
    isUsed = false,
  ) {
    this.state = state;
    this.at = at;
    this.followers = followers;
    this.isUsed = isUsed;
  }

  /**
   * Bytes to the nearest end that has not been used; Infinity when all have. Found out only where somebody comes by,
   * and without calling itself: texts can be long.
   */
  get minimumBytes(): number {
    const open: UsedTexts[] = [this];
    for (let one = open.at(-1); one !== undefined; one = open.at(-1)) {
      const unmeasured = one.least === undefined ? one.measure() : [];
      if (unmeasured.length === 0) open.pop();
      else open.push(...unmeasured);
    }
    return this.least ?? Infinity;
  }

  /** The same with one more. */
  with(text: Uint8Array): UsedTexts {
    const path: UsedTexts[] = [this];
    for (const byte of text) {
      const next = path.at(-1)?.after(byte);
      if (next === undefined) return this;
      path.push(next);
    }
    let built: UsedTexts | undefined;
    for (const [index, { state, at, followers, isUsed }] of [...path.entries()].toReversed()) {
      const byte = text[index];
      const grown = built && byte !== undefined ? new Map(followers).set(byte, built) : followers;
      built = new UsedTexts(state, at, grown, isUsed || built === undefined);
    }
    return built ?? this;
  }

  private after(byte: number): UsedTexts | undefined {
    const known = this.followers.get(byte);
    if (known !== undefined) return known;
    const state = this.state.step(byte);
    return state && new UsedTexts(state, whereaboutsAfter(byte, this.at));
  }

  /** Measures this one, or gives those that must be measured before it. */
  private measure(): readonly UsedTexts[] {
    const possible = this.state.isComplete ? 0 : this.state.minimumBytesToEnd;
    let least = this.state.isComplete && !this.isUsed ? 0 : Infinity;
    for (let byte = 0; byte < 256 && least > possible; byte += 1) {
      // A space leads back to where one is: no way out of what was used.
      if (this.followers.has(byte) || (byte === space && this.at === 'outside')) continue;
      least = Math.min(least, 1 + (this.state.step(byte)?.minimumBytesToEnd ?? Infinity));
    }
    const followers = least > possible ? [...this.followers.values()] : [];
    const unmeasured = followers.filter((follower) => follower.least === undefined);
    if (unmeasured.length === 0)
      this.least = followers.reduce((nearest, { least: rest = 0 }) => Math.min(nearest, 1 + rest), least);
    return unmeasured;
  }
}

const [comma, space, quote, backslash] = [0x2c, 0x20, 0x22, 0x5c];

/** At the beginning of the list, or behind a comma. */
class BeforeItem implements AutomatonState {
  readonly kind = 'automaton';
  readonly isAccepting: boolean;
  readonly continues = true;
  /** Measured with the rest of the graph. */
  readonly inner: Expression;
  private readonly list: DistinctItems;
  private used: UsedTexts | undefined;
  private readonly count: number;
  private readonly maySpace: boolean;

  /** Without `used` nothing has been written: then the item is looked into only when one begins. */
  constructor(
    list: DistinctItems,
    used: UsedTexts | undefined,
    count: number,
    isAccepting: boolean,
    maySpace = false,
  ) {
    this.inner = list.item;
    this.list = list;
    this.used = used;
    this.count = count;
    this.isAccepting = isAccepting;
    this.maySpace = maySpace;
  }

  get minimumBytes(): number {
    return this.isAccepting ? 0 : (this.used?.minimumBytes ?? this.inner.minimumBytes);
  }

  next(byte: number): AutomatonState | undefined {
    if (byte === space && this.maySpace) return new BeforeItem(this.list, this.used, this.count, false);
    const used = (this.used ??= new UsedTexts(createMachine(this.inner).start(), 'outside'));
    const { state, at } = used;
    return new InItem(this.list, used, this.count, { state, at, trail: used, written: undefined }).next(byte);
  }
}

interface Written {
  readonly byte: number;
  readonly before: Written | undefined;
}

interface Place {
  readonly state: MachineState;
  readonly at: Whereabouts;
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

  /** What was used does not matter to a text that is unlike all of it. */
  get inside(): MachineState | undefined {
    const { state, trail } = this.place;
    return trail === undefined && !state.isComplete ? state : undefined;
  }

  next(byte: number): AutomatonState | undefined {
    const { state, at, trail, written } = this.place;
    if (byte === comma && this.isAccepting) return this.afterComma();
    const after = state.step(byte);
    if (after === undefined) return undefined;
    const place =
      byte === space && at === 'outside'
        ? { ...this.place, state: after }
        : {
            state: after,
            at: whereaboutsAfter(byte, at),
            trail: trail?.followers.get(byte),
            written: { byte, before: written },
          };
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
