import type { CodePointSet } from './code-points.ts';
import type { TextAutomaton, TextEdge } from './text-language.ts';
import { trimmed } from './text-language.ts';
import { anyText, parsePattern, type Pattern, UnsupportedPattern } from './pattern-syntax.ts';

/** The texts in which the pattern is found, as `RegExp.prototype.test` with the u flag finds it. Takes its steps from `work`. Throws `UnsupportedPattern`. */
export function compilePattern(source: string, work: { left: number }): TextAutomaton {
  const found: Pattern = { kind: 'sequence', items: [anyText, parsePattern(source), anyText] };
  const network = new Network();
  const start = network.node();
  const end = network.build(found, start);
  return trimmed(determinise(network, start, end, work));
}

const maxNodes = 20_000;
const maxStates = 4_000;
const tooComplex = 'is too complex';

interface Move {
  readonly set: CodePointSet;
  readonly to: number;
}

class Network {
  readonly free: number[][] = [];
  readonly moves: Move[][] = [];
  readonly starts: number[][] = [];
  readonly ends: number[][] = [];

  node(): number {
    if (this.free.length >= maxNodes) throw new UnsupportedPattern(tooComplex);
    this.free.push([]);
    this.moves.push([]);
    this.starts.push([]);
    this.ends.push([]);
    return this.free.length - 1;
  }

  /** Adds the pattern after `from` and gives the node behind it. */
  build(pattern: Pattern, from: number): number {
    switch (pattern.kind) {
      case 'set':
        return this.link(from, (to) => this.moves[from]?.push({ set: pattern.set, to }));
      case 'start':
        return this.link(from, (to) => this.starts[from]?.push(to));
      case 'end':
        return this.link(from, (to) => this.ends[from]?.push(to));
      case 'sequence':
        return pattern.items.reduce((at, item) => this.build(item, at), from);
      case 'choice': {
        const to = this.node();
        for (const option of pattern.options) this.free[this.build(option, from)]?.push(to);
        return to;
      }
      default:
        return this.buildRepeat(pattern.item, pattern.min, pattern.max, from);
    }
  }

  private buildRepeat(item: Pattern, min: number, max: number, from: number): number {
    let at = from;
    for (let count = 0; count < min; count += 1) at = this.build(item, this.after(at));
    if (max === Infinity) {
      const loop = this.after(at);
      this.free[this.build(item, this.after(loop))]?.push(loop);
      return this.after(loop);
    }
    const exits = [at];
    for (let count = min; count < max; count += 1) {
      at = this.build(item, this.after(at));
      exits.push(at);
    }
    const to = this.node();
    for (const exit of exits) this.free[exit]?.push(to);
    return to;
  }

  private after(from: number): number {
    return this.link(from, (to) => this.free[from]?.push(to));
  }

  private link(_from: number, connect: (to: number) => void): number {
    const to = this.node();
    connect(to);
    return to;
  }
}

function determinise(network: Network, start: number, end: number, work: { left: number }): TextAutomaton {
  const spend = (amount: number) => {
    work.left -= amount;
    if (work.left < 0) throw new UnsupportedPattern(tooComplex);
  };
  const closure = (nodes: Iterable<number>, atStart: boolean, atEnd: boolean): Set<number> => {
    const reached = new Set(nodes);
    for (const node of reached) {
      spend(1);
      for (const next of network.free[node] ?? []) reached.add(next);
      if (atStart) for (const next of network.starts[node] ?? []) reached.add(next);
      if (atEnd) for (const next of network.ends[node] ?? []) reached.add(next);
    }
    return reached;
  };
  const numbers = new Map<string, number>();
  const sets: Set<number>[] = [];
  const accepting: boolean[] = [];
  const stateOf = (nodes: Set<number>, atStart: boolean): number => {
    const key = (atStart ? '^' : '') + [...nodes].sort((one, other) => one - other).join(',');
    let state = numbers.get(key);
    if (state === undefined) {
      state = sets.length;
      if (state >= maxStates) throw new UnsupportedPattern(tooComplex);
      numbers.set(key, state);
      const reached = closure(nodes, atStart, false);
      sets.push(reached);
      accepting.push(closure(reached, atStart, true).has(end));
    }
    return state;
  };
  stateOf(new Set([start]), true);
  const edges: TextEdge[][] = [];
  for (let state = 0; state < sets.length; state += 1) {
    const moves = [...(sets[state] ?? [])].flatMap((node) => network.moves[node] ?? []);
    edges.push(
      splitMoves(moves, spend).map(({ from, to, nodes }) => ({ from, to, target: stateOf(nodes, false) })),
    );
  }
  return { accepting, edges };
}

interface Slice {
  readonly from: number;
  readonly to: number;
  readonly nodes: Set<number>;
}

/** Cuts overlapping moves into slices in which every code point leads to the same nodes. */
function splitMoves(moves: readonly Move[], spend: (amount: number) => void): Slice[] {
  const cuts = new Set<number>();
  for (const { set } of moves) for (const [from, to] of set) cuts.add(from).add(to + 1);
  const sorted = [...cuts].sort((one, other) => one - other);
  const slices: Slice[] = [];
  for (const [index, from] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next === undefined) break;
    spend(moves.length);
    const nodes = new Set<number>();
    for (const { set, to } of moves)
      if (set.some((range) => range[0] <= from && from <= range[1])) nodes.add(to);
    if (nodes.size > 0) slices.push({ from, to: next - 1, nodes });
  }
  return slices;
}
