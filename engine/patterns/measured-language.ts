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
}

const maxTableCells = 2_000_000;

/** Lengths are in code points, both included. Throws `LanguageTooComplex`. */
export function measureLanguage(
  language: TextAutomaton,
  minLength: number,
  maxLength: number,
): MeasuredLanguage {
  const lastLength = maxLength === Infinity ? minLength : maxLength;
  const { accepting } = language;
  if ((lastLength + 1) * accepting.length > maxTableCells) {
    throw new LanguageTooComplex('is too complex together with the length limits');
  }
  const steps = language.edges.map((edges) =>
    edges.map(({ from, to, target }) => ({ target, cost: cheapest(from, to) })),
  );
  const rows: Float64Array[] = Array.from({ length: lastLength + 1 });
  let after =
    maxLength === Infinity
      ? unboundedCosts(accepting, steps)
      : new Float64Array(accepting.length).fill(Infinity);
  for (let length = lastLength; length >= 0; length -= 1) {
    const isLong = length >= minLength;
    if (length === lastLength && maxLength === Infinity) {
      rows[length] = after;
      continue;
    }
    const row = Float64Array.from(steps, (leaving, state) => {
      const end = isLong && accepting[state] === true ? 0 : Infinity;
      return leaving.reduce(
        (least, { target, cost }) => Math.min(least, cost + (after[target] ?? Infinity)),
        end,
      );
    });
    rows[length] = row;
    after = row;
  }
  return {
    edges: (state) => language.edges[state] ?? [],
    accepts: (state, length) => accepting[state] === true && length >= minLength && length <= maxLength,
    cost: (state, length) => rows[length]?.[state] ?? Infinity,
    lengthAfter: (length) => (maxLength === Infinity ? Math.min(length + 1, lastLength) : length + 1),
  };
}

interface Step {
  readonly target: number;
  readonly cost: number;
}

function unboundedCosts(
  accepting: readonly boolean[],
  steps: readonly (readonly Step[])[],
): Float64Array<ArrayBuffer> {
  const costs = Float64Array.from(accepting, (isAccepting) => (isAccepting ? 0 : Infinity));
  for (let changed = true; changed;) {
    changed = false;
    for (let state = steps.length - 1; state >= 0; state -= 1) {
      for (const { target, cost } of steps[state] ?? []) {
        const through = cost + (costs[target] ?? Infinity);
        if (through < (costs[state] ?? Infinity)) {
          costs[state] = through;
          changed = true;
        }
      }
    }
  }
  return costs;
}

/** Bytes of the shortest spelling of any character in the range inside a JSON string. */
function cheapest(from: number, to: number): number {
  const touches = (low: number, high: number) => from <= high && low <= to;
  if (touches(0x20, 0x21) || touches(0x23, 0x5b) || touches(0x5d, 0x7f)) return 1;
  if (touches(0x22, 0x22) || touches(0x5c, 0x5c) || touches(0x08, 0x0a) || touches(0x0c, 0x0d)) return 2;
  if (touches(0x80, 0x7ff)) return 2;
  if (touches(0x800, 0xffff)) return 3;
  return touches(0x10000, 0x10ffff) ? 4 : 6;
}
