import type { FoundPassage } from '#vocabulary/documents';

/** How little a place matters: the usual number, by which one good place outweighs two middling ones only just. */
const flatness = 60;

/** Several lists of the same kind, each with its best first, as one. Only places count: scores do not compare. */
export function mergeByRank(lists: readonly (readonly FoundPassage[])[]): readonly FoundPassage[] {
  const merged = new Map<string, { passage: FoundPassage; score: number }>();
  for (const list of lists) {
    for (const [rank, passage] of list.entries()) {
      const place = placeOf(passage);
      const entry = merged.get(place) ?? { passage, score: 0 };
      entry.score += 1 / (flatness + rank + 1);
      merged.set(place, entry);
    }
  }
  return [...merged.values()].toSorted((one, other) => other.score - one.score).map(({ passage }) => passage);
}

/** The same for the same passage, whoever has found it. */
export function placeOf({ documentId, page, start }: FoundPassage): string {
  return `${documentId} ${page} ${start}`;
}
