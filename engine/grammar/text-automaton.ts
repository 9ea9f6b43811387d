import type { AutomatonState, Expression } from './expression.ts';

/** Exactly this text. */
export function textOf(text: string): Expression {
  return oneTextOf([text]);
}

/** One of several texts, as one automaton: costs the same for two and for two thousand. */
export function oneTextOf(texts: readonly string[]): Expression {
  const encoder = new TextEncoder();
  const root = new TextState();
  for (const text of texts) {
    let state = root;
    for (const byte of encoder.encode(text)) state = state.follow(byte);
    state.isAccepting = true;
  }
  root.measure();
  return root;
}

class TextState implements AutomatonState {
  readonly kind = 'automaton';
  isAccepting = false;
  minimumBytes = 0;
  private readonly followers = new Map<number, TextState>();

  get continues(): boolean {
    return this.followers.size > 0;
  }

  next(byte: number): TextState | undefined {
    return this.followers.get(byte);
  }

  follow(byte: number): TextState {
    let follower = this.followers.get(byte);
    if (follower === undefined) {
      follower = new TextState();
      this.followers.set(byte, follower);
    }
    return follower;
  }

  measure(): void {
    const found = new Set<TextState>([this]);
    for (const state of found) for (const follower of state.followers.values()) found.add(follower);
    for (const state of [...found].toReversed()) {
      const least = [...state.followers.values()].reduce(
        (so, one) => Math.min(so, one.minimumBytes + 1),
        Infinity,
      );
      state.minimumBytes = state.isAccepting ? 0 : least;
    }
  }
}
