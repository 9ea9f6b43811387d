import { DocumentProblem } from '../document-problem.ts';
import type { ReadDocument } from './read-document.ts';

/** A text has no pages; as much as one reads at a time is one here. */
const pageCharacters = 12_000;

export function readPlainText(text: string): ReadDocument {
  return { kind: 'text', ...paginate(text.split('\n'), pageCharacters), emptyPages: 0 };
}

/** Lines in pages of about so many characters; a page ends where a line does, unless that is endless. */
export function paginate(
  lines: readonly string[],
  characters: number,
): Pick<ReadDocument, 'pages' | 'pageCount'> {
  const pages: { number: number; text: string }[] = [];
  let text = '';
  const close = () => {
    if (text.trim() !== '') pages.push({ number: pages.length + 1, text });
    text = '';
  };
  for (const line of lines) {
    for (let start = 0; start <= line.length; start += characters) {
      if (text.length + Math.min(line.length - start, characters) > characters) close();
      text += line.slice(start, start + characters);
    }
    text += '\n';
  }
  close();
  if (pages.length === 0) throw new DocumentProblem('empty');
  return { pages, pageCount: pages.length };
}
