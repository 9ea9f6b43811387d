import { sliceText } from './slice-text.ts';

/**
 * Turns texts of any length into tokens without holding up anybody: the native tokenizer takes more than twice as
 * long for twice the text and stands still with everything else meanwhile, so it gets small slices, and all long
 * texts together one slice per turn of the event loop.
 */
export interface PatientEncoder {
  /** `onCount` hears how many tokens there are so far; what it throws ends the work. */
  encode(pieces: Iterable<TextPiece>, onCount?: (tokens: number) => void): Promise<number[]>;
}

export interface TextPiece {
  readonly text: string;
  /** Whether texts of control tokens become control tokens. */
  readonly parsesSpecial: boolean;
}

export interface PatientEncoderParts {
  readonly encode: (text: string, parseSpecial: boolean) => ArrayLike<number>;
  /** Finds the texts of control tokens. */
  readonly special: RegExp | undefined;
  /** Some tokenizers put a space before every text; this tells a token that is nothing else. */
  readonly isBareSpace: (token: number) => boolean;
}

/** What is done in one turn, in characters; a call costs about as much as this many. */
const charactersPerTurn = 2048;
const charactersPerCall = 32;

export function createPatientEncoder({ encode, special, isBareSpace }: PatientEncoderParts): PatientEncoder {
  const nextTurn = createTurnstile();
  const addsSpace = isBareSpace(encode('\n', false)[0] ?? -1);

  function encodeContinued(text: string, parsesSpecial: boolean): ArrayLike<number> {
    if (!addsSpace) return encode(text, parsesSpecial);
    if (text.startsWith(' ')) return encode(text.slice(1), parsesSpecial);
    const tokens = Array.from(encode(text, parsesSpecial));
    return isBareSpace(tokens[0] ?? -1) ? tokens.slice(1) : tokens;
  }

  return {
    encode: async (pieces, onCount = () => {}) => {
      const tokens: number[] = [];
      let doneThisTurn = 0;
      for (const { text, parsesSpecial } of pieces) {
        for (const slice of sliceText(text, parsesSpecial ? special : undefined, charactersPerTurn)) {
          if (doneThisTurn > 0 && doneThisTurn + slice.text.length > charactersPerTurn) {
            await nextTurn();
            doneThisTurn = 0;
          }
          const added = slice.isContinued
            ? encodeContinued(slice.text, parsesSpecial)
            : encode(slice.text, parsesSpecial);
          for (let index = 0; index < added.length; index += 1) tokens.push(added[index] ?? 0);
          doneThisTurn += slice.text.length + charactersPerCall;
          onCount(tokens.length);
        }
      }
      return tokens;
    },
  };
}

/** Lets one waiter through per turn of the event loop, in the order of their coming. */
function createTurnstile(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const admit = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(admit);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(admit);
    });
}
