/** The first and the last letter of each range. */
const ranges: readonly (readonly [number, number])[] = [
  [0x0e01, 0x0e3a], // Thai
  [0x0e40, 0x0e4e],
  [0x0e81, 0x0ecf], // Lao
  [0x0edc, 0x0edf],
  [0x1000, 0x103f], // Burmese
  [0x1050, 0x108f],
  [0x1100, 0x11ff], // Korean
  [0x1780, 0x17d3], // Khmer
  [0x3005, 0x3007], // Chinese and Japanese
  [0x3041, 0x309a],
  [0x309d, 0x309f],
  [0x30a1, 0x30fa],
  [0x30fc, 0x318e],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa960, 0xa97c],
  [0xac00, 0xd7fb],
  [0xf900, 0xfaff],
  [0xff66, 0xffdc],
  [0x20000, 0x3fffd],
];

/**
 * Letters of scripts that put no blanks between words, and of Korean, which puts endings to them. It stands between
 * the brackets of a regular expression, of this language as of PostgreSQL. The search indexes were made with it: to
 * change it, make them anew.
 */
export const unspacedLetters = ranges
  .map(([first, last]) => `${String.fromCodePoint(first)}-${String.fromCodePoint(last)}`)
  .join('');

export interface TermPart {
  readonly text: string;
  readonly isUnspaced: boolean;
}

/** What is searched for, cut where such a script begins or ends. Parts without a letter mean nothing. */
export function cutTerm(term: string): readonly TermPart[] {
  return term
    .split(runs)
    .map((text, index) => ({ text, isUnspaced: index % 2 === 1 }))
    .filter(({ text, isUnspaced }) => isUnspaced || /[\p{L}\p{N}]/u.test(text));
}

export function isUnspaced(text: string): boolean {
  return someLetter.test(text);
}

const someLetter = new RegExp(`[${unspacedLetters}]`, 'u');
const runs = new RegExp(`([${unspacedLetters}]+)`, 'u');
