import { unspacedLetters } from '#contract/unspaced-text';

/**
 * Where no blanks stand between words, two letters side by side are indexed as one, and the last one by itself: every
 * part of such a text is then a phrase, and every letter the beginning of an entry.
 */
export function piecesOf(run: string): readonly string[] {
  const letters = Array.from(run);
  return letters.map((letter, index) => letter + (letters[index + 1] ?? ''));
}

/** What leads to a run inside a longer one: nothing is known of what follows its last letter. */
export function wantedPieces(run: string): readonly string[] {
  const pieces = piecesOf(run);
  return pieces.length > 1 ? pieces.slice(0, -1) : pieces;
}

/** A text as the tokenizer of FTS5 is to read it. */
export function inPieces(text: string): string {
  return text.normalize('NFC').replace(runs, (run) => ` ${piecesOf(run).map(asToken).join(' ')} `);
}

/** FTS5 cuts words at vowel signs and tone marks, but not at characters that Unicode leaves for private use. */
export function asToken(piece: string): string {
  return piece.replace(/\p{M}/gu, (mark) => String.fromCodePoint((mark.codePointAt(0) ?? 0) + privateUse));
}

/** From the marks of these scripts, which begin at U+0E31, to U+E031 and on. */
const privateUse = 0xd200;
const runs = new RegExp(`[${unspacedLetters}]+`, 'gu');
