import { cutTerm, unspacedLetters } from '#contract/unspaced-text';

/**
 * Marks the words that were searched for without touching the elements of the page, and returns the first place.
 * Browsers that cannot mark show the message all the same. Words match at their beginning, as the search does, and
 * anywhere in scripts without blanks between words.
 */
export function markWords(within: Element | undefined, words: string): Range | undefined {
  const ranges = within === undefined ? [] : rangesOf(within, words);
  if (typeof Highlight === 'function') {
    CSS.highlights.delete(highlightName);
    if (ranges.length > 0) CSS.highlights.set(highlightName, new Highlight(...ranges));
  }
  return ranges[0];
}

const highlightName = 'search-hit';
const maxRanges = 200;
const letters = `(?:(?![${unspacedLetters}])[\\p{L}\\p{N}\\p{M}])`;
const noWord = `(?<!${letters})`;

function rangesOf(within: Element, words: string): Range[] {
  const terms = cutTerm(words).flatMap(({ text, isUnspaced }) =>
    isUnspaced
      ? [text]
      : (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => `${noWord}${word}${letters}*`),
  );
  if (terms.length === 0) return [];
  const pattern = new RegExp(terms.join('|'), 'giu');
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < maxRanges; node = walker.nextNode()) {
    for (const match of (node.textContent ?? '').matchAll(pattern)) {
      const range = new Range();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      ranges.push(range);
    }
  }
  return ranges;
}
