import type { Tokenizer } from '../native/tokenizer.ts';
import type { TokenDraft } from '../scheduler/sequence-task.ts';

/** So many bytes of the text are looked at for each token that may be drafted: most tokens are shorter. */
const bytesPerToken = 8;
/** At the end of what was looked at the text may be cut inside a token. */
const doubtfulTokens = 2;

/**
 * A text that an answer will probably be, as tokens that can be read ahead of their choice. It decides nothing: every
 * token is chosen as ever, and where the choice is another one the rest is cut into tokens anew from there. Whatever is
 * wrong with the text costs time only.
 */
export function createExpectedText(text: string, tokenizer: Tokenizer): TokenDraft {
  const bytes = Buffer.from(text);
  let position = 0;
  let isLost = false;
  let tokens: number[] = [];

  function cutAnew(most: number): number[] {
    const end = Math.min(bytes.length, position + most * bytesPerToken);
    if (position >= end || isInsideCharacter(bytes, position)) return [];
    const cut = tokenizer.encode(bytes.toString('utf8', position, end), true);
    return end === bytes.length ? cut : cut.slice(0, Math.max(0, cut.length - doubtfulTokens));
  }

  return {
    next(most) {
      if (isLost || most < 1) return [];
      if (tokens.length === 0) tokens = cutAnew(most);
      return tokens.slice(0, most);
    },
    chosen(token) {
      if (isLost) return;
      const spelled = tokenizer.bytesOf(token);
      isLost = !bytes.subarray(position, position + spelled.length).equals(spelled);
      position += spelled.length;
      if (tokens.shift() !== token) tokens = [];
    },
  };
}

/** The bytes of one character may belong to several tokens. */
function isInsideCharacter(bytes: Buffer, position: number): boolean {
  return ((bytes[position] ?? 0) & 0xc0) === 0x80;
}
