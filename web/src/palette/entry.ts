import type { Snippet } from '#contract/chats';
import type { IconName } from '../design/icon.tsx';

/** One thing that can be found and done. */
export interface PaletteEntry {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  /** A second line, with what was found marked in it. */
  readonly snippet?: Snippet | undefined;
  /** At the end of the line. */
  readonly note?: string | undefined;
  /** Further words by which it is found. */
  readonly foundBy?: string | undefined;
  readonly shortcut?: string | undefined;
  readonly run: () => void;
}

export interface PaletteGroup {
  readonly name: string;
  readonly entries: readonly PaletteEntry[];
}

/** Those whose label, or what else they are found by, holds every word, in any order and letter case, without regard to accents. */
export function matching(entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] {
  const words = folded(text).split(/\s+/).filter(Boolean);
  return entries.filter(({ label, foundBy = '' }) => {
    const name = folded(`${label} ${foundBy}`);
    return words.every((word) => name.includes(word));
  });
}

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();
}
