import { LanguageTooComplex, type TextAutomaton, type TextEdge } from './text-language.ts';

/**
 * A language of texts with a bounded length, with the cost in bytes of the cheapest ending from every position.
 * An infinite cost means there is none, so that nobody walks into a dead end.
 */
export interface MeasuredLanguage {
  edges(state: number): readonly TextEdge[];
  accepts(state: number, length: number): boolean;
  cost(state: number, length: number): number;
  /** The length after one more character; stands still where counting on would change nothing. */
  lengthAfter(length: number): number;
  /** A length from which the same texts of up to so many characters follow, shared by all that are far from both limits. */
  lengthSeenFrom(length: number, characters: number): number;
}

const maxTableCells = 2_000_000;

/** Lengths are in code points, both included. Throws `LanguageTooComplex`. */
export function measureLanguage(
  language: TextAutomaton,
  minLength: number,
  maxLength: number,
): MeasuredLanguage {
  const { accepting } = language;
  const table = new CostTable(language);
  const isBounded = maxLength < Infinity;
  const ends = Float64Array.from(accepting, (isAccepting) => (isAccepting ? 0 : Infinity));
  const noEnds = new Float64Array(accepting.length).fill(Infinity);

  /** Behind the least length, by the characters that may still come. With many of them, more change nothing. */
  const late = isBounded ? [ends] : [table.unbounded(ends)];
  const mostLeft = isBounded ? maxLength - minLength : 0;
  for (let left = 1; left <= mostLeft; left += 1) {
    const [before = ends] = late.slice(-1);
    const row = table.before(before, ends);
    if (row.every((cost, state) => cost === before[state])) break;
    late.push(row);
  }
  const lateRow = (length: number) => late[Math.min(late.length - 1, isBounded ? maxLength - length : 0)];

  /** Before the least length, where nothing ends yet, by the length. */
  const early: Float64Array[] = [];
  let after = lateRow(minLength) ?? noEnds;
  for (let length = minLength - 1; length >= 0; length -= 1) {
    after = table.before(after, noEnds);
    early.push(after);
  }
  early.reverse();

  return {
    edges: (state) => language.edges[state] ?? [],
    accepts: (state, length) => accepting[state] === true && length >= minLength && length <= maxLength,
    cost: (state, length) =>
      (length < minLength ? early[length] : length > maxLength ? undefined : lateRow(length))?.[state] ??
      Infinity,
    lengthAfter: (length) => (isBounded ? length + 1 : Math.min(length + 1, minLength)),
    lengthSeenFrom: (length, characters) =>
      isBounded && length > minLength && maxLength - length >= late.length + characters ? minLength : length,
  };
}

/** The edges of a language as flat arrays, and costs that are carried backwards along them. */
class CostTable {
  private readonly edgesFrom: Uint32Array;
  private readonly targets: Uint32Array;
  private readonly costs: Uint8Array;
  private cells = 0;

  constructor({ edges }: TextAutomaton) {
    const count = edges.reduce((sum, leaving) => sum + leaving.length, 0);
    this.edgesFrom = new Uint32Array(edges.length + 1);
    this.targets = new Uint32Array(count);
    this.costs = new Uint8Array(count);
    let next = 0;
    for (const [state, leaving] of edges.entries()) {
      for (const { from, to, target } of leaving) {
        this.targets[next] = target;
        this.costs[next] = cheapest(from, to);
        next += 1;
      }
      this.edgesFrom[state + 1] = next;
    }
  }

  /** One character before these costs, or at an end. */
  before(costs: Float64Array, ends: Float64Array): Float64Array<ArrayBuffer> {
    this.cells += costs.length;
    if (this.cells > maxTableCells)
      throw new LanguageTooComplex('is too complex together with the length limits');
    const row = Float64Array.from(ends);
    for (let state = 0; state < row.length; state += 1) this.relax(state, row, costs);
    return row;
  }

  /** Any number of characters before the ends. */
  unbounded(ends: Float64Array): Float64Array<ArrayBuffer> {
    const row = Float64Array.from(ends);
    for (let changed = true; changed;) {
      changed = false;
      for (let state = row.length - 1; state >= 0; state -= 1)
        changed = this.relax(state, row, row) || changed;
    }
    return row;
  }

  private relax(state: number, row: Float64Array, after: Float64Array): boolean {
    const known = row[state] ?? Infinity;
    let least = known;
    const end = this.edgesFrom[state + 1] ?? 0;
    for (let edge = this.edgesFrom[state] ?? end; edge < end; edge += 1)
      least = Math.min(least, (this.costs[edge] ?? 0) + (after[this.targets[edge] ?? 0] ?? Infinity));
    row[state] = least;
    return least < known;
  }
}

/** Bytes of the shortest spelling of any character in the range inside a JSON string. */
function cheapest(from: number, to: number): number {
  if (from >= 0x5d && to <= 0x7f) return 1;
  const touches = (low: number, high: number) => from <= high && low <= to;
  if (touches(0x20, 0x21) || touches(0x23, 0x5b) || touches(0x5d, 0x7f)) return 1;
  if (touches(0x22, 0x22) || touches(0x5c, 0x5c) || touches(0x08, 0x0a) || touches(0x0c, 0x0d)) return 2;
  if (touches(0x80, 0x7ff)) return 2;
  if (touches(0x800, 0xffff)) return 3;
  return touches(0x10000, 0x10ffff) ? 4 : 6;
}
