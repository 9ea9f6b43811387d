import type { AutomatonState, Expression } from './expression.ts';
import { measureLanguage, type MeasuredLanguage } from '../patterns/measured-language.ts';
import { type TextAutomaton, type TextEdge, textsOtherThan } from '../patterns/text-language.ts';

/**
 * The inside of a JSON string (without its quotes) whose text is in a language and has a bounded length.
 * Characters that need an escape have one spelling, the one `JSON.stringify` uses; all others are written as
 * they are. Throws `LanguageTooComplex`.
 */
export function stringContent(language: TextAutomaton, minLength: number, maxLength: number): Expression {
  const hasAnyLength = minLength === 0 && maxLength === Infinity;
  const known = hasAnyLength ? ofAnyLength.get(language) : undefined;
  if (known !== undefined) return known;
  const space = new StringSpace(measureLanguage(language, minLength, maxLength));
  const content = space.start() ?? { kind: 'choice', options: [], minimumBytes: Infinity };
  if (hasAnyLength) ofAnyLength.set(language, content);
  return content;
}

/** A format or a pattern stands in many places of a schema, most often without limits to its length. */
const ofAnyLength = new WeakMap<TextAutomaton, Expression>();

/** The inside of a JSON string with any text but these. */
export function stringOtherThan(texts: readonly string[]): Expression {
  return texts.includes('') ? stringContent(textsOtherThan(texts), 0, Infinity) : new OtherText(texts);
}

/** The start of such a text, worked out where somebody gets to it: few objects of a large schema are written. */
class OtherText implements AutomatonState {
  readonly kind = 'automaton';
  readonly isAccepting = true;
  readonly minimumBytes = 0;
  readonly continues = true;
  private readonly texts: readonly string[];
  private start: StringState | undefined;

  constructor(texts: readonly string[]) {
    this.texts = texts;
  }

  next(byte: number): StringState | undefined {
    this.start ??= new StringSpace(measureLanguage(textsOtherThan(this.texts), 0, Infinity)).start();
    return this.start?.next(byte);
  }
}

/** What has been written: whole characters, and perhaps the beginning of one. */
type Written = { readonly state: number; readonly length: number } & (
  | { readonly part: 'none' }
  /** After a backslash: the characters of the escape so far. */
  | { readonly part: 'escape'; readonly text: string }
  /** Inside a UTF-8 sequence: the bits so far, the bytes to come, and the size of the whole. */
  | { readonly part: 'bytes'; readonly bits: number; readonly left: number; readonly size: number }
  /** Inside a UTF-8 sequence whose every ending leads to the same state. */
  | { readonly part: 'tail'; readonly left: number }
);

/** States beyond this are forgotten and made anew; equal positions then merely stop being the same object. */
const maxRememberedStates = 8_192;

const backslash = 0x5c;
const escapes: readonly (readonly [codePoint: number, text: string])[] = [
  ...Array.from({ length: 0x20 }, (_, codePoint) => codePoint),
  0x22,
  backslash,
].map((codePoint) => [codePoint, JSON.stringify(String.fromCodePoint(codePoint)).slice(2, -1)]);

class StringSpace {
  private readonly language: MeasuredLanguage;
  private states = new Map<string, StringState>();

  constructor(language: MeasuredLanguage) {
    this.language = language;
  }

  start(): StringState | undefined {
    return this.stateOf({ part: 'none', state: 0, length: 0 });
  }

  follow(written: Written, byte: number): StringState | undefined {
    switch (written.part) {
      case 'none':
        return this.begin(written.state, written.length, byte);
      case 'escape':
        return this.continueEscape(written.state, written.length, written.text + String.fromCharCode(byte));
      case 'bytes': {
        if (byte < 0x80 || byte > 0xbf) return undefined;
        const bits = (written.bits << 6) | (byte & 0x3f);
        return this.continueBytes(written.state, written.length, bits, written.left - 1, written.size);
      }
      default:
        if (byte < 0x80 || byte > 0xbf) return undefined;
        return written.left === 1
          ? this.stateOf({ ...written, part: 'none' })
          : this.stateOf({ ...written, left: written.left - 1 });
    }
  }

  /** Where any text at all may follow, now and for good. */
  takesPlainText({ part, state, length }: Written): boolean {
    if (part !== 'none' || this.language.lengthAfter(length) !== length) return false;
    const edges = this.language.edges(state);
    return edges.every(({ target }) => target === state) && coversAll(edges);
  }

  seenFrom(written: Written, byteCount: number): StringState | undefined {
    const length = this.language.lengthSeenFrom(written.length, byteCount);
    return length === written.length ? undefined : this.stateOf({ ...written, length });
  }

  isComplete(written: Written): boolean {
    return written.part === 'none' && this.language.accepts(written.state, written.length);
  }

  minimumBytes(written: Written): number {
    const { state, length } = written;
    switch (written.part) {
      case 'none':
        return this.language.cost(state, length);
      case 'tail':
        return written.left + this.language.cost(state, length);
      case 'escape':
        return this.escapesAfter(written.text).reduce((least, [codePoint, text]) => {
          const cost =
            text.length - written.text.length + this.costAfter(state, length, codePoint, codePoint);
          return Math.min(least, cost);
        }, Infinity);
      default: {
        const [low, high] = blockOf(written.bits, written.left, written.size);
        return written.left + this.costAfter(state, length, low, high);
      }
    }
  }

  private begin(state: number, length: number, byte: number): StringState | undefined {
    if (byte === backslash) return this.continueEscape(state, length, '');
    if (byte < 0x20 || byte === 0x22) return undefined;
    if (byte < 0x80) return this.finish(state, length, byte);
    if (byte >= 0xc2 && byte <= 0xdf) return this.continueBytes(state, length, byte & 0x1f, 1, 2);
    if (byte >= 0xe0 && byte <= 0xef) return this.continueBytes(state, length, byte & 0x0f, 2, 3);
    if (byte >= 0xf0 && byte <= 0xf4) return this.continueBytes(state, length, byte & 0x07, 3, 4);
    return undefined;
  }

  private continueEscape(state: number, length: number, text: string): StringState | undefined {
    for (const [codePoint, whole] of this.escapesAfter(text)) {
      if (whole === text) return this.finish(state, length, codePoint);
    }
    return this.stateOf({ part: 'escape', state, length, text });
  }

  private continueBytes(
    state: number,
    length: number,
    bits: number,
    left: number,
    size: number,
  ): StringState | undefined {
    const [low, high] = blockOf(bits, left, size);
    if (low > high) return undefined;
    if (left === 0) return this.finish(state, length, low);
    const isWhole = high - low + 1 === 2 ** (6 * left);
    const edge = this.language.edges(state).find(({ from, to }) => from <= low && high <= to);
    if (isWhole && edge !== undefined) {
      return this.stateOf({
        part: 'tail',
        state: edge.target,
        length: this.language.lengthAfter(length),
        left,
      });
    }
    return this.stateOf({ part: 'bytes', state, length, bits, left, size });
  }

  private finish(state: number, length: number, codePoint: number): StringState | undefined {
    const edge = this.language.edges(state).find(({ from, to }) => from <= codePoint && codePoint <= to);
    if (edge === undefined) return undefined;
    return this.stateOf({ part: 'none', state: edge.target, length: this.language.lengthAfter(length) });
  }

  private escapesAfter(text: string): readonly (readonly [codePoint: number, text: string])[] {
    return escapes.filter(([, whole]) => whole.startsWith(text));
  }

  /** The cheapest ending behind any character from `low` to `high`. */
  private costAfter(state: number, length: number, low: number, high: number): number {
    let least = Infinity;
    for (const { from, to, target } of this.language.edges(state)) {
      if (from <= high && low <= to)
        least = Math.min(least, this.language.cost(target, this.language.lengthAfter(length)));
    }
    return least;
  }

  private stateOf(written: Written): StringState | undefined {
    const key = keyOf(written);
    let state = this.states.get(key);
    if (state === undefined) {
      const minimumBytes = this.minimumBytes(written);
      if (minimumBytes === Infinity) return undefined;
      if (this.states.size >= maxRememberedStates) this.states = new Map();
      state = new StringState(this, written, minimumBytes);
      this.states.set(key, state);
    }
    return state;
  }
}

/** The edges of a state are sorted and disjoint, and none holds surrogates. */
function coversAll(edges: readonly TextEdge[]): boolean {
  let next = 0;
  for (const { from, to } of edges) {
    if (from !== next) return false;
    next = to === 0xd7ff ? 0xe000 : to + 1;
  }
  return next === 0x110000;
}

function keyOf(written: Written): string {
  const place = `${written.state}:${written.length}`;
  switch (written.part) {
    case 'none':
      return place;
    case 'escape':
      return `${place}\\${written.text}`;
    case 'tail':
      return `${place}+${written.left}`;
    default:
      return `${place}#${written.bits}/${written.left}/${written.size}`;
  }
}

const firstOfSize = [0, 0, 0x80, 0x800, 0x10000];

/** The characters a UTF-8 sequence of this size may still become: nothing overlong, no surrogates. */
function blockOf(bits: number, left: number, size: number): readonly [low: number, high: number] {
  const low = Math.max(bits << (6 * left), firstOfSize[size] ?? 0);
  const high = Math.min(((bits + 1) << (6 * left)) - 1, 0x10ffff);
  if (low >= 0xd800 && low <= 0xdfff) return [0xe000, Math.min(high, 0xdfff)];
  return [low, low < 0xd800 && high >= 0xd800 && high <= 0xdfff ? 0xd7ff : high];
}

class StringState implements AutomatonState {
  readonly kind = 'automaton';
  readonly isAccepting: boolean;
  readonly minimumBytes: number;
  /** Taken as true: a state that merely accepts waits for a byte that never fits, which costs nothing. */
  readonly continues = true;
  readonly takesPlainText: boolean;
  private readonly space: StringSpace;
  private readonly written: Written;

  constructor(space: StringSpace, written: Written, minimumBytes: number) {
    this.space = space;
    this.written = written;
    this.minimumBytes = minimumBytes;
    this.isAccepting = space.isComplete(written);
    this.takesPlainText = space.takesPlainText(written);
  }

  horizon(byteCount: number): StringState {
    return this.space.seenFrom(this.written, byteCount) ?? this;
  }

  next(byte: number): StringState | undefined {
    return this.space.follow(this.written, byte);
  }
}
