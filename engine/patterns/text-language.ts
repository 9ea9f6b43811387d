/**
 * A set of texts as a deterministic automaton over Unicode code points. State 0 is the start. Every operation
 * gives an automaton in which all states but perhaps the start can still reach an accepting one.
 */
export interface TextAutomaton {
  readonly accepting: readonly boolean[];
  /** Per state, sorted and disjoint. */
  readonly edges: readonly (readonly TextEdge[])[];
}

export interface TextEdge {
  readonly from: number;
  readonly to: number;
  readonly target: number;
}

/** The message completes "The keyword … ". */
export class LanguageTooComplex extends Error {}

const maxStates = 5_000;

export function isEmptyLanguage(language: TextAutomaton): boolean {
  return !language.accepting.includes(true);
}

export function includesText(language: TextAutomaton, text: string): boolean {
  let state: number | undefined = 0;
  for (const character of text) {
    state = targetOf(language.edges[state] ?? [], character.codePointAt(0) ?? 0);
    if (state === undefined) return false;
  }
  return language.accepting[state] === true;
}

/** The texts of up to a given number of code points, any characters. */
export function textsOfLength(min: number, max: number): TextAutomaton {
  const last = max === Infinity ? min : max;
  if (last > maxStates) throw new LanguageTooComplex('counts too far');
  const numbers = Array.from({ length: last + 1 }, (_, count) => count);
  return {
    accepting: numbers.map((count) => count >= min),
    edges: numbers.map((count) =>
      count < last ? everyCharacter(count + 1) : max === Infinity ? everyCharacter(last) : [],
    ),
  };
}

/** Every text but these: at each character one follows them, or leaves them for good. */
export function textsOtherThan(texts: readonly string[]): TextAutomaton {
  const listed = languageOf(texts);
  const elsewhere = listed.accepting.length;
  return {
    accepting: [...listed.accepting.map((isListed) => !isListed), true],
    edges: [...listed.edges.map((leaving) => filledUp(leaving, elsewhere)), everyCharacter(elsewhere)],
  };
}

/** The same edges, and one to `target` for each character that had none. */
function filledUp(edges: readonly TextEdge[], target: number): TextEdge[] {
  const filled: TextEdge[] = [];
  let next = 0;
  const fill = (to: number): void => {
    if (next < firstSurrogate && next <= to)
      filled.push({ from: next, to: Math.min(to, firstSurrogate - 1), target });
    if (to > lastSurrogate) filled.push({ from: Math.max(next, lastSurrogate + 1), to, target });
  };
  for (const edge of edges) {
    if (edge.from > next) fill(edge.from - 1);
    filled.push(edge);
    next = edge.to + 1;
  }
  if (next <= lastCodePoint) fill(lastCodePoint);
  return filled;
}

const [firstSurrogate, lastSurrogate, lastCodePoint] = [0xd800, 0xdfff, 0x10ffff];

export function languageOf(texts: readonly string[]): TextAutomaton {
  const accepting = [false];
  const followers: Map<number, number>[] = [new Map()];
  for (const text of texts) {
    let state = 0;
    for (const character of text) {
      const codePoint = character.codePointAt(0) ?? 0;
      let next = followers[state]?.get(codePoint);
      if (next === undefined) {
        next = accepting.push(false) - 1;
        followers.push(new Map());
        followers[state]?.set(codePoint, next);
      }
      state = next;
    }
    accepting[state] = true;
  }
  const edges = followers.map((byCodePoint) =>
    [...byCodePoint]
      .sort(([one], [other]) => one - other)
      .map(([at, target]) => ({ from: at, to: at, target })),
  );
  return { accepting, edges };
}

export function intersectionOf(one: TextAutomaton, other: TextAutomaton): TextAutomaton {
  return combined(one, other, (inOne, inOther) => inOne && inOther, false);
}

/** The texts of `one` that are not in `other`. */
export function differenceOf(one: TextAutomaton, other: TextAutomaton): TextAutomaton {
  return combined(one, other, (inOne, inOther) => inOne && !inOther, true);
}

function everyCharacter(target: number): TextEdge[] {
  return [
    { from: 0, to: firstSurrogate - 1, target },
    { from: lastSurrogate + 1, to: lastCodePoint, target },
  ];
}

/** Drops states from which nothing is accepted, and joins neighbouring edges with the same target. */
export function trimmed({ accepting, edges }: TextAutomaton): TextAutomaton {
  const live = liveStates({ accepting, edges });
  const numbers = new Map<number, number>([[0, 0]]);
  for (const state of live) if (!numbers.has(state)) numbers.set(state, numbers.size);
  const keptEdges: TextEdge[][] = [];
  for (const state of numbers.keys()) {
    const joined: { from: number; to: number; target: number }[] = [];
    for (const { from, to, target } of edges[state] ?? []) {
      const number = live.has(target) ? numbers.get(target) : undefined;
      const last = joined.at(-1);
      if (number === undefined) continue;
      if (last !== undefined && last.target === number && last.to + 1 === from) last.to = to;
      else joined.push({ from, to, target: number });
    }
    keptEdges.push(joined);
  }
  return { accepting: [...numbers.keys()].map((state) => accepting[state] === true), edges: keptEdges };
}

function targetOf(edges: readonly TextEdge[], codePoint: number): number | undefined {
  return edges.find((edge) => edge.from <= codePoint && codePoint <= edge.to)?.target;
}

function liveStates({ accepting, edges }: TextAutomaton): Set<number> {
  const sources: number[][] = accepting.map(() => []);
  for (const [state, leaving] of edges.entries())
    for (const { target } of leaving) sources[target]?.push(state);
  const live = new Set<number>();
  for (const [state, isAccepting] of accepting.entries()) if (isAccepting) live.add(state);
  for (const state of live) for (const source of sources[state] ?? []) live.add(source);
  return live;
}

const nowhere = -1;

/** Runs both side by side. `other` may be left for good (nowhere) when `mayLeaveOther`. */
function combined(
  one: TextAutomaton,
  other: TextAutomaton,
  accepts: (inOne: boolean, inOther: boolean) => boolean,
  mayLeaveOther: boolean,
): TextAutomaton {
  const numbers = new Map<number, number>();
  const pairs: (readonly [number, number])[] = [];
  const accepting: boolean[] = [];
  // A place for nowhere besides.
  const rightCount = other.accepting.length + 1;
  const stateOf = (left: number, right: number): number => {
    const key = left * rightCount + right + 1;
    let state = numbers.get(key);
    if (state === undefined) {
      state = pairs.push([left, right]) - 1;
      if (state >= maxStates)
        throw new LanguageTooComplex('is too complex together with the other limits on this text');
      numbers.set(key, state);
      accepting.push(accepts(one.accepting[left] === true, other.accepting[right] === true));
    }
    return state;
  };
  stateOf(0, 0);
  const edges: TextEdge[][] = [];
  for (let state = 0; state < pairs.length; state += 1) {
    const [left, right] = pairs[state] ?? [nowhere, nowhere];
    const leaving: TextEdge[] = [];
    for (const edge of one.edges[left] ?? []) {
      for (const part of cutBy(edge, other.edges[right] ?? [])) {
        if (part.target === nowhere && !mayLeaveOther) continue;
        leaving.push({ from: part.from, to: part.to, target: stateOf(edge.target, part.target) });
      }
    }
    edges.push(leaving);
  }
  return trimmed({ accepting, edges });
}

/** The parts of an edge with the state the other automaton goes to on them. */
function cutBy(edge: TextEdge, others: readonly TextEdge[]): TextEdge[] {
  const parts: TextEdge[] = [];
  let next = edge.from;
  for (const other of others) {
    if (other.to < next) continue;
    if (other.from > edge.to) break;
    if (other.from > next) parts.push({ from: next, to: other.from - 1, target: nowhere });
    const to = Math.min(other.to, edge.to);
    parts.push({ from: Math.max(next, other.from), to, target: other.target });
    next = to + 1;
  }
  if (next <= edge.to) parts.push({ from: next, to: edge.to, target: nowhere });
  return parts;
}
