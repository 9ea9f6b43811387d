import { createHash } from 'node:crypto';

const dimensions = 256;

/** Words that mean the same point the same way, as they do for a model that has read much. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['car', 'automobile'],
  ['doctor', 'physician'],
  ['cheap', 'inexpensive'],
]);

/** A vector that means something: texts with the same words, or words that mean the same, are near each other. */
export function simulatedVector(text: string): readonly number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  vector[0] = 0.01;
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const meaning = synonyms.get(word) ?? word;
    // Short words stand everywhere.
    if (meaning.length < 4) continue;
    const place = createHash('sha256').update(meaning).digest().readUInt16BE() % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}
