import type { CodePointSet } from './code-points.ts';
import { alphabetOf } from './pattern-alphabet.ts';
import {
  differenceOf,
  everyCharacter,
  intersectionOf,
  type TextAutomaton,
  type TextEdge,
  trimmed,
} from './text-language.ts';
import { anyText, parsePattern, type Pattern, UnsupportedPattern } from './pattern-syntax.ts';

/**
 * The texts in which the pattern is found, as `RegExp.prototype.test` with the u flag finds it. Takes its steps from
 * `work`. Throws `UnsupportedPattern`, and `LanguageTooComplex` for look-ahead.
 */
export function compilePattern(source: string, work: { left: number }): TextAutomaton {
  const { pattern, lookAheads } = parsePattern(source);
  return lookAheads.reduce(
    (language, { pattern: ahead, isNegative }) => {
      const other = textsWith(ahead, work);
      const both = isNegative ? differenceOf(language, other) : intersectionOf(language, other);
      spendFrom(work, stepsPerState * both.accepting.length);
      return both;
    },
    textsWith(pattern, work),
  );
}

function spendFrom(work: { left: number }, amount: number): void {
  work.left -= amount;
  if (work.left < 0) throw new UnsupportedPattern(tooComplex);
}

function textsWith(pattern: Pattern, work: { left: number }): TextAutomaton {
  const network = new Network();
  const start = network.node();
  const end = network.build({ kind: 'sequence', items: [anyText, pattern] }, start);
  return trimmed(determinise(network, start, end, work));
}

const maxNodes = 20_000;
const maxStates = 4_000;
/** What running two automata side by side costs. */
const stepsPerState = 50;
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

  /** Whether a character or an end of the text leads on from here. */
  leads(node: number): boolean {
    return [this.moves, this.starts, this.ends].some((ways) => (ways[node]?.length ?? 0) > 0);
  }

  /** The nodes that still lead to `end` behind the first character, where no start of the text is met any more. */
  leadingTo(end: number): ReadonlySet<number> {
    const sources: number[][] = this.free.map(() => []);
    for (let node = 0; node < sources.length; node += 1) {
      for (const next of this.free[node] ?? []) sources[next]?.push(node);
      for (const next of this.ends[node] ?? []) sources[next]?.push(node);
      for (const { to } of this.moves[node] ?? []) sources[to]?.push(node);
    }
    const leading = new Set([end]);
    for (const node of leading) for (const source of sources[node] ?? []) leading.add(source);
    return leading;
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

/** Whatever follows what the pattern describes, it is found: from `end` on any text goes. */
function determinise(network: Network, start: number, end: number, work: { left: number }): TextAutomaton {
  const spend = (amount: number) => spendFrom(work, amount);
  const alphabet = alphabetOf(new Set(network.moves.flatMap((moves) => moves.map(({ set }) => set))), spend);
  const leading = network.leadingTo(end);
  /** What can be reached from one node without a character, less the nodes that only lead on. */
  const reachedFrom = (atStart: boolean, atEnd: boolean): ((node: number) => readonly number[]) => {
    const known: (readonly number[] | undefined)[] = [];
    return (from) => {
      const found = known[from];
      if (found !== undefined) return found;
      const reached = new Set([from]);
      for (const node of reached) {
        spend(1);
        for (const next of network.free[node] ?? []) reached.add(next);
        if (atStart) for (const next of network.starts[node] ?? []) reached.add(next);
        if (atEnd) for (const next of network.ends[node] ?? []) reached.add(next);
      }
      const standing = [...reached].filter(
        (node) => node === end || (network.leads(node) && (atStart || leading.has(node))),
      );
      known[from] = standing;
      return standing;
    };
  };
  const [fromStart, fromWithin] = [reachedFrom(true, false), reachedFrom(false, false)];
  const [endFromStart, endFromWithin] = [reachedFrom(true, true), reachedFrom(false, true)];
  const numbers = new Map<string, number>();
  const sets: (readonly number[])[] = [];
  const accepting: boolean[] = [];
  const stateOf = (nodes: readonly number[], atStart: boolean): number => {
    const reached = new Set<number>();
    for (const node of nodes) for (const next of (atStart ? fromStart : fromWithin)(node)) reached.add(next);
    spend(reached.size);
    const standing = reached.has(end) ? [end] : [...reached].sort((one, other) => one - other);
    const key = (atStart ? '^' : '') + standing.join(',');
    let state = numbers.get(key);
    if (state === undefined) {
      state = sets.push(standing) - 1;
      if (state >= maxStates) throw new UnsupportedPattern(tooComplex);
      numbers.set(key, state);
      const endsFrom = atStart ? endFromStart : endFromWithin;
      accepting.push(standing.some((node) => endsFrom(node).includes(end)));
    }
    return state;
  };
  /** By the nodes that a character leads to: most characters lead to the same ones. */
  const targets = new Map<number | string, number>();
  const targetOf = (nodes: readonly number[]): number => {
    const [only = end] = nodes;
    const key = nodes.length === 1 ? only : nodes.join(',');
    const target = targets.get(key) ?? stateOf(nodes, false);
    targets.set(key, target);
    return target;
  };
  stateOf([start], true);
  const edges: TextEdge[][] = [];
  for (let state = 0; state < sets.length; state += 1) {
    const standing = sets[state] ?? [];
    const leaving: TextEdge[] = standing[0] === end ? everyCharacter(state) : [];
    for (const [number, nodes] of nodesByClass(standing)) {
      const target = targetOf(nodes);
      for (const [from, to] of alphabet.ranges[number] ?? []) leaving.push({ from, to, target });
    }
    edges.push(leaving.sort((one, other) => one.from - other.from));
  }
  return { accepting, edges };

  /** Where the characters of each class lead from these nodes. */
  function nodesByClass(from: readonly number[]): ReadonlyMap<number, number[]> {
    const reached = new Map<number, number[]>();
    for (const node of from)
      for (const { set, to } of network.moves[node] ?? []) {
        if (!leading.has(to)) continue;
        const classes = alphabet.classesOf(set);
        spend(classes.length);
        for (const number of classes) {
          const nodes = reached.get(number);
          if (nodes === undefined) reached.set(number, [to]);
          else nodes.push(to);
        }
      }
    return reached;
  }
}
