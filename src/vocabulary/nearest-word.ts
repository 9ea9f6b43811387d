/** The known word that a mistyped one most likely meant. */
export function nearestWord(written: string, known: Iterable<string>): string | undefined {
  const lower = written.toLowerCase();
  const farthest = Math.max(1, Math.min(3, Math.floor(written.length / 3)));
  let nearest: string | undefined;
  let nearestDistance = farthest + 1;
  for (const word of known) {
    const distance = editDistance(lower, word.toLowerCase(), nearestDistance);
    if (distance < nearestDistance) {
      nearest = word;
      nearestDistance = distance;
    }
  }
  return nearest;
}

/** Insertions, deletions, replacements and swaps of neighbours; gives up at `limit`. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      let best = Math.min(replaced, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      if (from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? limit;
}
