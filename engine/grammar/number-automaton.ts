import { leastCommonMultiple } from './decimal.ts';
import type { AutomatonState, Expression } from './expression.ts';

/** Numbers in plain decimal notation, as whole multiples of 10^-decimals: exact, and always few digits. */
export interface NumberRange {
  /** Digits allowed after the point; 0 for integers. */
  readonly decimals: number;
  /** Bounds in units of 10^-decimals, both included. */
  readonly minimum: bigint;
  readonly maximum: bigint;
  /** The value must be a whole multiple of this many units. */
  readonly step: bigint;
  /** The value must not be a whole multiple of this many units; undefined when it may. */
  readonly except?: bigint;
}

const maxDecimals = 16;
const largestSafe = BigInt(Number.MAX_SAFE_INTEGER);

export const widestNumber: NumberRange = rangeOf(maxDecimals);
export const widestInteger: NumberRange = rangeOf(0);

function rangeOf(decimals: number): NumberRange {
  const limit = largestSafe * 10n ** BigInt(decimals);
  return { decimals, minimum: -limit, maximum: limit, step: 1n };
}

/** Whether no number lies within the bounds. */
export function isEmptyRange({ minimum, maximum, step, except }: NumberRange): boolean {
  return !hasMultiple(minimum, maximum, step, except);
}

/** Whether a multiple of `step` that is none of `except` lies from `low` to `high`. */
function hasMultiple(low: bigint, high: bigint, step: bigint, except: bigint | undefined): boolean {
  const count = countMultiples(low, high, step);
  if (except === undefined || count === 0n) return count > 0n;
  return count > countMultiples(low, high, leastCommonMultiple(step, except));
}

function countMultiples(low: bigint, high: bigint, step: bigint): bigint {
  return low > high ? 0n : floorOf(high, step) - floorOf(low - 1n, step);
}

/** The quotient, rounded towards minus infinity. */
export function floorOf(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return quotient * divisor > value ? quotient - 1n : quotient;
}

/** A choice without options when no number fits. */
export function numberExpression(range: NumberRange): Expression {
  const known = ofRange.get(range);
  if (known !== undefined) return known;
  const number = new NumberSpace(range).start() ?? { kind: 'choice', options: [], minimumBytes: Infinity };
  ofRange.set(range, number);
  return number;
}

/** Most numbers have no limits, and then they are all the same. */
const ofRange = new WeakMap<NumberRange, Expression>();

/** What has been written of a number: its digits without the point, and where the point is. */
interface Written {
  readonly isNegative: boolean;
  /** 'sign': nothing but perhaps a minus; 'whole': digits before the point; 'fraction': the point and perhaps digits. */
  readonly phase: 'sign' | 'whole' | 'fraction';
  readonly digits: bigint;
  readonly wholeDigits: number;
  readonly fractionDigits: number;
}

/** States beyond this are forgotten and made anew; equal positions then merely stop being the same object. */
const maxRememberedStates = 8_192;
const [minus, point, zero, nine] = [0x2d, 0x2e, 0x30, 0x39];

class NumberSpace {
  readonly range: NumberRange;
  private readonly unit: bigint;
  /** Digits with the same remainder have the same multiples before them. */
  private readonly modulus: bigint;
  private readonly maxWholeDigits: number;
  /** Per number of digits after the point: the step between values that can be written with no more of them. */
  private readonly steps: readonly bigint[];
  private states = new Map<string, NumberState>();

  constructor(range: NumberRange) {
    this.range = range;
    this.unit = 10n ** BigInt(range.decimals);
    this.modulus = leastCommonMultiple(range.step, range.except ?? 1n);
    const largest = [range.minimum, range.maximum].map((bound) => (bound < 0n ? -bound : bound) / this.unit);
    this.steps = Array.from({ length: range.decimals + 1 }, (_, digits) =>
      leastCommonMultiple(range.step, 10n ** BigInt(range.decimals - digits)),
    );
    this.maxWholeDigits = Math.max(...largest.map((bound) => String(bound).length));
  }

  start(): NumberState | undefined {
    return this.stateOf({ isNegative: false, phase: 'sign', digits: 0n, wholeDigits: 0, fractionDigits: 0 });
  }

  follow(written: Written, byte: number): NumberState | undefined {
    const { phase, digits, wholeDigits, fractionDigits } = written;
    if (byte === minus) {
      return phase === 'sign' && !written.isNegative
        ? this.stateOf({ ...written, isNegative: true })
        : undefined;
    }
    if (byte === point) {
      return phase === 'whole' && this.range.decimals > 0
        ? this.stateOf({ ...written, phase: 'fraction' })
        : undefined;
    }
    if (byte < zero || byte > nine) return undefined;
    const longer = { ...written, digits: digits * 10n + BigInt(byte - zero) };
    if (phase === 'fraction') {
      return fractionDigits < this.range.decimals
        ? this.stateOf({ ...longer, fractionDigits: fractionDigits + 1 })
        : undefined;
    }
    if (phase === 'whole' && digits === 0n) return undefined;
    return wholeDigits < this.maxWholeDigits
      ? this.stateOf({ ...longer, phase: 'whole', wholeDigits: wholeDigits + 1 })
      : undefined;
  }

  isComplete(written: Written): boolean {
    if (written.phase === 'sign' || (written.phase === 'fraction' && written.fractionDigits === 0))
      return false;
    const value = written.digits * 10n ** BigInt(this.range.decimals - written.fractionDigits);
    return this.coverage(written.isNegative, value, value) !== 'none';
  }

  /** Bytes to the nearest end, by arithmetic: for every number of digits to come, is there a fitting value at all? */
  shortestEnding(written: Written): number {
    const { phase, fractionDigits } = written;
    const { decimals } = this.range;
    const pointBytes = phase === 'fraction' ? 0 : 1;
    let shortest = Infinity;
    for (const { isNegative, low, high, cost } of this.blocksAfter(written)) {
      for (
        let digits = phase === 'fraction' ? Math.max(1, fractionDigits) : 0;
        digits <= decimals;
        digits += 1
      ) {
        const total = cost + (digits > fractionDigits ? pointBytes + digits - fractionDigits : 0);
        if (total >= shortest) break;
        const width = 10n ** BigInt(decimals - fractionDigits);
        const covered = this.coverage(isNegative, low * width, (high + 1n) * width - 1n, this.steps[digits]);
        if (covered !== 'none') shortest = total;
      }
    }
    return shortest;
  }

  /** The values that whole digits still to come may lead to, with the bytes it takes to write those. */
  private *blocksAfter({ isNegative, phase, digits, wholeDigits }: Written): Generator<Block> {
    if (phase !== 'sign') {
      const more = phase === 'fraction' || digits === 0n ? 0 : this.maxWholeDigits - wholeDigits;
      for (let cost = 0; cost <= more; cost += 1) {
        const width = 10n ** BigInt(cost);
        yield { isNegative, low: digits * width, high: (digits + 1n) * width - 1n, cost };
      }
      return;
    }
    for (let count = 1; count <= this.maxWholeDigits; count += 1) {
      const low = count === 1 ? 0n : 10n ** BigInt(count - 1);
      const high = 10n ** BigInt(count) - 1n;
      yield { isNegative, low, high, cost: count };
      if (!isNegative) yield { isNegative: true, low, high, cost: count + 1 };
    }
  }

  /** Undefined when no number in range begins like this. Positions with the same future are the same object. */
  private stateOf(written: Written): NumberState | undefined {
    const key = this.futureOf(written);
    if (key === undefined) return undefined;
    let state = this.states.get(key);
    if (state === undefined) {
      if (this.states.size >= maxRememberedStates) this.states = new Map();
      state = new NumberState(this, written);
      this.states.set(key, state);
    }
    return state;
  }

  /**
   * Names what may still follow. With k more digits to come a prefix covers a block of values; where every block
   * lies wholly inside or outside the range, the digits themselves no longer matter, only their remainder does.
   */
  private futureOf(written: Written): string | undefined {
    const { isNegative, phase, digits, wholeDigits, fractionDigits } = written;
    if (phase === 'sign') {
      const anyNegative = this.coverage(true, 0n, -this.range.minimum) !== 'none';
      if (isNegative) return anyNegative ? 'minus' : undefined;
      return anyNegative || this.coverage(false, 0n, this.range.maximum) !== 'none' ? 'start' : undefined;
    }
    const moreDigits = phase === 'fraction' || digits === 0n ? 0 : this.maxWholeDigits - wholeDigits;
    const covers: Coverage[] = [];
    for (let more = 0; more <= moreDigits; more += 1) {
      const width = 10n ** BigInt(more + this.range.decimals - fractionDigits);
      covers.push(this.coverage(isNegative, digits * width, (digits + 1n) * width - 1n));
    }
    if (covers.every((cover) => cover === 'none')) return undefined;
    const isZero = phase === 'whole' && digits === 0n;
    const place = `${isNegative ? '-' : ''}${phase}${isZero ? '0' : wholeDigits}.${fractionDigits}`;
    const digitsMatter = covers.includes('part');
    return digitsMatter ? `${place}=${digits}` : `${place}%${digits % this.modulus}:${covers.join('')}`;
  }

  /** How much of the magnitudes from `low` to `high` is in range, given the sign; minus zero is not a number here. */
  private coverage(isNegative: boolean, low: bigint, high: bigint, step = this.range.step): Coverage {
    const { minimum, maximum } = this.range;
    const least = isNegative ? larger(1n, -maximum) : larger(0n, minimum);
    const most = isNegative ? -minimum : maximum;
    const from = larger(low, least);
    const to = high < most ? high : most;
    if (from > to || !hasMultiple(from, to, step, this.range.except)) return 'none';
    return from === low && to === high ? 'all' : 'part';
  }
}

type Coverage = 'none' | 'part' | 'all';

interface Block {
  readonly isNegative: boolean;
  readonly low: bigint;
  readonly high: bigint;
  readonly cost: number;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

class NumberState implements AutomatonState {
  readonly kind = 'automaton';
  readonly isAccepting: boolean;
  private readonly space: NumberSpace;
  private readonly written: Written;
  private measured: number | undefined;

  constructor(space: NumberSpace, written: Written) {
    this.space = space;
    this.written = written;
    this.isAccepting = space.isComplete(written);
  }

  get continues(): boolean {
    return numberBytes.some((byte) => this.next(byte) !== undefined);
  }

  get minimumBytes(): number {
    this.measured ??= this.isAccepting ? 0 : this.space.shortestEnding(this.written);
    return this.measured;
  }

  next(byte: number): NumberState | undefined {
    return this.space.follow(this.written, byte);
  }
}

const numberBytes = [minus, point, ...Array.from({ length: 10 }, (_, digit) => zero + digit)];
