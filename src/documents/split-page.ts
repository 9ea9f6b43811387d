import type { DocumentPage } from '#contract/documents';
import type { Passage } from '#vocabulary/documents';

/** About as much as one finds in a paragraph or two: small enough for a small model, large enough to understand. */
const usualLength = 900;
const maxLength = 1400;

/** Cuts the text of a page where paragraphs, lines, sentences or at least words end. Nothing is lost or doubled. */
export function splitPage({ number, text }: DocumentPage): readonly Passage[] {
  const passages: Passage[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOf(text, start);
    passages.push({ page: number, start, text: text.slice(start, end) });
    start = end;
  }
  return passages;
}

function endOf(text: string, start: number): number {
  if (text.length - start <= maxLength) return text.length;
  const window = text.slice(start, start + maxLength);
  for (const boundary of boundaries) {
    const end = window.lastIndexOf(boundary);
    if (end >= usualLength) return start + end + boundary.length;
  }
  // A text without a blank is cut anywhere but in the middle of a character.
  const isInside = /[\uD800-\uDBFF]$/.test(window);
  return start + window.length - (isInside ? 1 : 0);
}

const boundaries = ['\n\n', '\n', '. ', ' '];
