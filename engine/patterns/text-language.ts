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

export function everyCharacter(target: number): TextEdge[] {
  return [
    { from: 0, to: firstSurrogate - 1, target },
    { from: lastSurrogate + 1, to: lastCodePoint, target },
  ];
}

/** Drops states from which nothing is accepted, and joins neighbouring edges with the same target. */
export function trimmed({ accepting, edges }: TextAutomaton): TextAutomaton {
  const isLive = liveStates({ accepting, edges });
  const numbers = new Int32Array(accepting.length).fill(nowhere);
  let count = 0;
  for (let state = 0; state < numbers.length; state += 1)
    if (state === 0 || isLive[state] === 1) numbers[state] = count++;
  const keptEdges: TextEdge[][] = [];
  const keptAccepting: boolean[] = [];
  for (let state = 0; state < numbers.length; state += 1) {
    if (numbers[state] === nowhere) continue;
    keptAccepting.push(accepting[state] === true);
    const joined: { from: number; to: number; target: number }[] = [];
    let last: (typeof joined)[number] | undefined;
    for (const { from, to, target } of edges[state] ?? []) {
      if (isLive[target] !== 1) continue;
      const number = numbers[target] ?? nowhere;
      if (last !== undefined && last.target === number && last.to + 1 === from) last.to = to;
      else joined.push((last = { from, to, target: number }));
    }
    keptEdges.push(joined);
  }
  return { accepting: keptAccepting, edges: keptEdges };
}

const nowhere = -1;

function targetOf(edges: readonly TextEdge[], codePoint: number): number | undefined {
  return edges.find((edge) => edge.from <= codePoint && codePoint <= edge.to)?.target;
}

/** A one for each state from which something is accepted. */
function liveStates({ accepting, edges }: TextAutomaton): Uint8Array {
  const edgeCount = edges.reduce((sum, leaving) => sum + leaving.length, 0);
  // The edges into each state as lists in flat arrays.
  const firstInto = new Int32Array(accepting.length).fill(nowhere);
  const nextInto = new Int32Array(edgeCount);
  const sources = new Int32Array(edgeCount);
  let edge = 0;
  for (const [state, leaving] of edges.entries())
    for (const { target } of leaving) {
      sources[edge] = state;
      nextInto[edge] = firstInto[target] ?? nowhere;
      firstInto[target] = edge++;
    }
  const isLive = Uint8Array.from(accepting, Number);
  const open = [...isLive.keys()].filter((state) => isLive[state] === 1);
  for (let state = open.pop(); state !== undefined; state = open.pop())
    for (let into = firstInto[state] ?? nowhere; into !== nowhere; into = nextInto[into] ?? nowhere) {
      const source = sources[into] ?? 0;
      if (isLive[source] === 1) continue;
      isLive[source] = 1;
      open.push(source);
    }
  return isLive;
}

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
    const others = other.edges[right] ?? [];
    let at = 0;
    for (const edge of one.edges[left] ?? []) {
      const leave = (from: number, to: number): void => {
        if (mayLeaveOther && from <= to) leaving.push({ from, to, target: stateOf(edge.target, nowhere) });
      };
      let next = edge.from;
      // Both are sorted; one of the others may go on beyond this edge.
      for (; at < others.length; at += 1) {
        const { from, to, target } = others[at] ?? edge;
        if (to < next) continue;
        if (from > edge.to) break;
        leave(next, from - 1);
        const last = Math.min(to, edge.to);
        leaving.push({ from: Math.max(next, from), to: last, target: stateOf(edge.target, target) });
        next = last + 1;
        if (to > edge.to) break;
      }
      leave(next, edge.to);
    }
    edges.push(leaving);
  }
  return trimmed({ accepting, edges });
}
