export interface TextSlice {
  readonly text: string;
  /** Cut out of running text, not at a control token. */
  readonly isContinued: boolean;
}

/**
 * Cuts a text where no token reaches across: before the text of a control token, or between two words, where the
 * tokenizers of all families cut too. Only a word without end is cut anywhere.
 */
export function* sliceText(
  text: string,
  special: RegExp | undefined,
  mostCharacters: number,
): Generator<TextSlice> {
  let start = 0;
  let isContinued = false;
  while (text.length - start > mostCharacters) {
    const cut = chooseCut(text, start, start + mostCharacters, special);
    yield { text: text.slice(start, cut.at), isContinued };
    start = cut.at;
    isContinued = !cut.isAtSpecial;
  }
  if (start < text.length) yield { text: text.slice(start), isContinued };
}

function chooseCut(
  text: string,
  start: number,
  end: number,
  special: RegExp | undefined,
): { readonly at: number; readonly isAtSpecial: boolean } {
  const atSpecial = special === undefined ? start : lastMatchStart(text, start, end, special);
  const middle = start + Math.floor((end - start) / 2);
  if (atSpecial > middle) return { at: atSpecial, isAtSpecial: true };
  const half = text.slice(middle, end);
  const words = betweenWords.exec(half) ?? beforeMark.exec(half);
  if (words !== null) return { at: middle + words[0].length, isAtSpecial: false };
  if (atSpecial > start) return { at: atSpecial, isAtSpecial: true };
  const splitsPair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '');
  return { at: splitsPair ? end - 1 : end, isAtSpecial: false };
}

/** Where the last control text begins that begins before `end`, also one that reaches beyond it. */
function lastMatchStart(text: string, start: number, end: number, special: RegExp): number {
  const window = text.slice(start, end + longestSpecial);
  let last = 0;
  for (const { index } of window.matchAll(special)) {
    if (index > end - start) break;
    last = index;
  }
  return start + last;
}

const longestSpecial = 256;
const betweenWords = /^[^]*\p{L}(?= \p{L})/u;
const beforeMark = /^[^]*\p{L}(?=[^\p{L}\p{N}\r\n]\p{L})/u;
