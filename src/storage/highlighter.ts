import type { Snippet } from '#contract/chats';
import { cutText, isInsideCharacter } from '#vocabulary/cut-text';
import type { SearchTerms } from '#vocabulary/conversation-store';

/** Only the beginning of a very long message is looked at. */
export const maxLookedAt = 200_000;

/** Cuts a text around the first match and marks the matches, without regard to case and accents. */
export function createHighlighter({
  terms,
}: Pick<SearchTerms, 'terms'>): (text: string, length: number) => Snippet {
  const wanted = terms.flatMap((term) => fold(term).match(/[\p{L}\p{N}]+/gu) ?? []);
  return (text, length) => {
    const looked = cutText(text, maxLookedAt);
    const matches = findMatches(looked, wanted);
    const first = matches[0]?.start ?? 0;
    const start = length >= text.length ? 0 : wordStart(looked, Math.max(0, first - Math.floor(length / 3)));
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

/** Words that begin with something that was searched for. */
function findMatches(text: string, wanted: readonly string[]): { start: number; end: number }[] {
  const matches: { start: number; end: number }[] = [];
  for (const word of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const folded = fold(word[0]);
    if (!wanted.some((term) => folded.startsWith(term))) continue;
    matches.push({ start: word.index, end: word.index + word[0].length });
    if (matches.length === 100) break;
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
