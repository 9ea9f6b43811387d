/**
 * Finds markers in text that arrives in pieces. Text is let through as soon as it cannot be the beginning of a
 * marker; half a marker is never let through.
 */
export interface MarkerScanner {
  /** The earliest marker wins, then the longest. Text after it stays inside for the next call. */
  push(text: string, markers: readonly string[]): Scan;
  /** Everything still held back. */
  flush(): string;
  readonly held: string;
}

export interface Scan {
  readonly text: string;
  readonly marker: string | undefined;
}

export function createMarkerScanner(): MarkerScanner {
  let held = '';
  return {
    push: (text, markers) => {
      held += text;
      const found = firstMarker(held, markers);
      if (found !== undefined) {
        const before = held.slice(0, found.index);
        held = held.slice(found.index + found.marker.length);
        return { text: before, marker: found.marker };
      }
      const keep = longestBeginning(held, markers);
      const ready = held.slice(0, held.length - keep);
      held = held.slice(held.length - keep);
      return { text: ready, marker: undefined };
    },
    flush: () => {
      const rest = held;
      held = '';
      return rest;
    },
    get held() {
      return held;
    },
  };
}

function firstMarker(
  text: string,
  markers: readonly string[],
): { readonly index: number; readonly marker: string } | undefined {
  let first: { index: number; marker: string } | undefined;
  for (const marker of markers) {
    const index = text.indexOf(marker);
    if (index < 0) continue;
    const isEarlier = first === undefined || index < first.index;
    if (isEarlier || (index === first?.index && marker.length > first.marker.length))
      first = { index, marker };
  }
  return first;
}

/** Length of the longest end of `text` with which some marker begins. */
function longestBeginning(text: string, markers: readonly string[]): number {
  let longest = 0;
  for (const marker of markers) {
    for (let length = Math.min(text.length, marker.length - 1); length > longest; length -= 1) {
      if (text.endsWith(marker.slice(0, length))) {
        longest = length;
        break;
      }
    }
  }
  return longest;
}
