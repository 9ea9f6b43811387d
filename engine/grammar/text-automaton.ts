import type { AutomatonState, Expression } from './expression.ts';

/** Exactly this text. */
export function textOf(text: string): Expression {
  return new LiteralState(encoder.encode(text), 0);
}

/** One of several texts, as one automaton that is only worked out where somebody goes. */
export function oneTextOf(texts: readonly string[]): Expression {
  const [only] = texts;
  if (only !== undefined && texts.length === 1) return textOf(only);
  // Sorted so that texts with the same beginning stand together.
  const sorted = texts.toSorted().map((text) => encoder.encode(text));
  return new ListedState(sorted, 0, sorted.length, 0);
}

const encoder = new TextEncoder();

class LiteralState implements AutomatonState {
  readonly kind = 'automaton';
  readonly minimumBytes: number;
  private readonly text: Uint8Array;
  private readonly at: number;
  private follower: LiteralState | undefined;

  constructor(text: Uint8Array, at: number) {
    this.text = text;
    this.at = at;
    this.minimumBytes = text.length - at;
  }

  get isAccepting(): boolean {
    return this.minimumBytes === 0;
  }

  get continues(): boolean {
    return this.minimumBytes > 0;
  }

  next(byte: number): LiteralState | undefined {
    if (this.text[this.at] !== byte) return undefined;
    this.follower ??= new LiteralState(this.text, this.at + 1);
    return this.follower;
  }
}

/** The texts from `from` up to `to` of a sorted list, which all begin with the same `depth` bytes. */
class ListedState implements AutomatonState {
  readonly kind = 'automaton';
  readonly minimumBytes: number;
  private readonly texts: readonly Uint8Array[];
  private readonly from: number;
  private readonly to: number;
  private readonly depth: number;
  private known: ReadonlyMap<number, AutomatonState> | undefined;

  constructor(texts: readonly Uint8Array[], from: number, to: number, depth: number) {
    this.texts = texts;
    this.from = from;
    this.to = to;
    this.depth = depth;
    let shortest = Infinity;
    for (let index = from; index < to; index += 1)
      shortest = Math.min(shortest, texts[index]?.length ?? Infinity);
    this.minimumBytes = shortest - depth;
  }

  get isAccepting(): boolean {
    return this.minimumBytes === 0;
  }

  get continues(): boolean {
    return this.followers().size > 0;
  }

  next(byte: number): AutomatonState | undefined {
    return this.followers().get(byte);
  }

  private followers(): ReadonlyMap<number, AutomatonState> {
    if (this.known !== undefined) return this.known;
    const { texts, depth } = this;
    const followers = new Map<number, AutomatonState>();
    for (let from = this.from; from < this.to;) {
      const text = texts[from];
      const byte = text?.[depth];
      let to = from + 1;
      while (to < this.to && texts[to]?.[depth] === byte) to += 1;
      if (text !== undefined && byte !== undefined)
        followers.set(
          byte,
          to === from + 1 ? new LiteralState(text, depth + 1) : new ListedState(texts, from, to, depth + 1),
        );
      from = to;
    }
    this.known = followers;
    return followers;
  }
}
