import type { AutomatonState } from './expression.ts';

class CharacterState implements AutomatonState {
  readonly kind = 'automaton';
  readonly isAccepting: boolean;
  readonly minimumBytes: number;
  private readonly followers: (CharacterState | undefined)[] = [];

  /** `minimumBytes` is the distance to the end of the character. */
  constructor(minimumBytes: number) {
    this.minimumBytes = minimumBytes;
    this.isAccepting = minimumBytes === 0;
  }

  get continues(): boolean {
    return !this.isAccepting;
  }

  next(byte: number): CharacterState | undefined {
    return this.followers[byte];
  }

  /** On these characters, or on the bytes from one to another. */
  on(bytes: string | ByteRange, target: CharacterState): this {
    const all = typeof bytes === 'string' ? Buffer.from(bytes) : range(...bytes);
    for (const byte of all) this.followers[byte] = target;
    return this;
  }
}

type ByteRange = readonly [from: number, to: number];
const continuation: ByteRange = [0x80, 0xbf];

/** The multi-byte sequences of Unicode's table 3-7: no overlong forms, no surrogates, nothing past U+10FFFF. */
const wellFormedSequences: readonly (readonly ByteRange[])[] = [
  [[0xc2, 0xdf], continuation],
  [[0xe0, 0xe0], [0xa0, 0xbf], continuation],
  [[0xe1, 0xec], continuation, continuation],
  [[0xed, 0xed], [0x80, 0x9f], continuation],
  [[0xee, 0xef], continuation, continuation],
  [[0xf0, 0xf0], [0x90, 0xbf], continuation, continuation],
  [[0xf1, 0xf3], continuation, continuation, continuation],
  [[0xf4, 0xf4], [0x80, 0x8f], continuation, continuation],
];

function characterStates(): CharacterState {
  const end = new CharacterState(0);
  const before = (bytes: string | ByteRange, target: CharacterState) =>
    new CharacterState(target.minimumBytes + 1).on(bytes, target);
  const hex = '0123456789abcdefABCDEF';
  const lastTwo = before(hex, before(hex, end));
  const low = before('\\', before('u', before('dD', before('cdefCDEF', lastTwo))));
  const surrogate = before('01234567', lastTwo).on('89abAB', before(hex, before(hex, low)));
  const coded = before('0123456789abcefABCEF', before(hex, lastTwo)).on('dD', surrogate);
  const escaped = before('"\\/bfnrt', end).on('u', coded);
  const start = new CharacterState(1)
    .on([0x20, 0x21], end)
    .on([0x23, 0x5b], end)
    .on([0x5d, 0x7f], end)
    .on('\\', escaped);
  for (const [first = continuation, ...rest] of wellFormedSequences)
    start.on(
      first,
      rest.reduceRight((target, bytes) => before(bytes, target), end),
    );
  return start;
}

/** Exactly one character of a JSON string: plain, a short escape, or \u escapes in which surrogates come in pairs only. */
export const jsonCharacter: AutomatonState = characterStates();

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
