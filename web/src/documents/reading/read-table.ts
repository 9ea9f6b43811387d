import type { ReadDocument } from './read-document.ts';
import { paginate } from './read-text.ts';

const pageCharacters = 6000;

/** Rows as they are; the service puts the names of the columns before every part that it gives to a model. */
export function readTable(text: string): ReadDocument {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  return { kind: 'table', ...paginate(lines, pageCharacters), emptyPages: 0 };
}
