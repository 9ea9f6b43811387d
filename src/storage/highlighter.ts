import type { Snippet } from '#contract/chats';
import { cutTerm, unspacedLetters } from '#contract/unspaced-text';
import { cutText, isInsideCharacter } from '#vocabulary/cut-text';
import type { SearchTerms } from '#vocabulary/conversation-store';

/** Only the beginning of a very long message is looked at. */
export const maxLookedAt = 200_000;

/** Cuts a text around the first match and marks the matches, without regard to case and accents. */
export function createHighlighter({
  terms,
}: Pick<SearchTerms, 'terms'>): (text: string, length: number) => Snippet {
  const wanted = readWanted(terms);
  return (text, length) => {
    const looked = cutText(text, maxLookedAt);
    const matches = findMatches(looked, wanted);
    const first = matches[0] ?? { start: 0, isUnspaced: false };
    // Where no blanks stand, a few letters say as much as some words.
    const before = Math.floor(length / (first.isUnspaced ? 12 : 3));
    const start = length >= text.length ? 0 : wordStart(looked, Math.max(0, first.start - before));
    const end = border(looked, Math.min(looked.length, start + length));
    const pieces: { text: string; isMatch: boolean }[] = [];
    let at = start;
    for (const match of matches) {
      if (match.start < at || match.end > end) continue;
      if (match.start > at) pieces.push({ text: looked.slice(at, match.start), isMatch: false });
      pieces.push({ text: looked.slice(match.start, match.end), isMatch: true });
      at = match.end;
    }
    if (at < end) pieces.push({ text: looked.slice(at, end), isMatch: false });
    if (start > 0) pieces.unshift({ text: '…', isMatch: false });
    if (end < text.length) pieces.push({ text: '…', isMatch: false });
    return pieces;
  };
}

interface Wanted {
  readonly words: readonly string[];
  /** In scripts without blanks between words. */
  readonly runs: readonly string[];
}

function readWanted(terms: readonly string[]): Wanted {
  const parts = terms.flatMap(cutTerm);
  const runs = parts.filter(({ isUnspaced }) => isUnspaced).map(({ text }) => text);
  const spaced = parts.filter(({ isUnspaced }) => !isUnspaced);
  return { words: spaced.flatMap(({ text }) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []), runs };
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly isUnspaced: boolean;
}

const maxMatches = 100;
const runOrWord = new RegExp(
  `([${unspacedLetters}]+)|(?:(?![${unspacedLetters}])[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
);

/** Words that begin with something that was searched for; where no blanks stand between them, every place of it. */
function findMatches(text: string, wanted: Wanted): readonly Match[] {
  const matches: Match[] = [];
  for (const { 0: found, 1: run, index } of text.matchAll(runOrWord)) {
    if (run !== undefined) matches.push(...findInRun(run, index, wanted.runs));
    else if (wanted.words.length > 0 && isWanted(fold(found), wanted.words))
      matches.push({ start: index, end: index + found.length, isUnspaced: false });
    if (matches.length >= maxMatches) break;
  }
  return matches;
}

function isWanted(word: string, words: readonly string[]): boolean {
  return words.some((wanted) => word.startsWith(wanted));
}

/** From left to right, the longest at each place; none goes into another. */
function findInRun(run: string, at: number, wanted: readonly string[]): readonly Match[] {
  const matches: Match[] = [];
  let from = 0;
  while (matches.length < maxMatches) {
    const next = wanted
      .map((text) => ({ place: run.indexOf(text, from), text }))
      .filter(({ place }) => place >= 0)
      .toSorted((one, other) => one.place - other.place || other.text.length - one.text.length)[0];
    if (next === undefined) break;
    from = next.place + next.text.length;
    matches.push({ start: at + next.place, end: at + from, isUnspaced: true });
  }
  return matches;
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

function wordStart(text: string, from: number): number {
  const space = text.indexOf(' ', from);
  return border(text, from === 0 || space < 0 || space - from > 20 ? from : space + 1);
}

function border(text: string, index: number): number {
  return isInsideCharacter(text, index) ? index - 1 : index;
}
