import { readDraft, writeDraft } from './drafts.ts';

/** What waits beside the words of drafts: it outlives a visit to another page and a reload, as they do. */
export interface DraftList<Entry> {
  /** The same list until it changes. */
  of(draft: string): readonly Entry[];
  change(draft: string, next: (now: readonly Entry[]) => readonly Entry[]): void;
  /** In whichever draft it waits by now. */
  update(id: string, fields: Partial<Entry>): void;
  move(from: string, to: string): void;
  /** What is not kept in the browser goes; what is kept is read again. */
  forget(draft: string): void;
  subscribe(listener: () => void): () => void;
}

interface DraftListOptions<Entry> {
  /** Under which name the browser keeps the list of a draft; none: not at all. */
  readonly placeOf: (draft: string) => string | undefined;
  readonly isKept?: (entry: Entry) => boolean;
}

export function createDraftList<Entry extends { readonly id: string }>({
  placeOf,
  isKept = () => true,
}: DraftListOptions<Entry>): DraftList<Entry> {
  const held = new Map<string, readonly Entry[]>();
  const listeners = new Set<() => void>();
  const of = (draft: string) => {
    const now = held.get(draft) ?? read(placeOf(draft));
    held.set(draft, now);
    return now;
  };
  const read = (place: string | undefined): readonly Entry[] =>
    place === undefined ? [] : (JSON.parse(readDraft(place) || '[]') as Entry[]);
  const write = (draft: string, entries: readonly Entry[]) => {
    held.set(draft, entries);
    const place = placeOf(draft);
    const kept = entries.filter(isKept);
    if (place !== undefined) writeDraft(place, kept.length === 0 ? '' : JSON.stringify(kept));
    tell();
  };
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    of,
    change: (draft, next) => write(draft, next(of(draft))),
    update(id, fields) {
      for (const [draft, entries] of held)
        if (entries.some((entry) => entry.id === id))
          write(
            draft,
            entries.map((entry) => (entry.id === id ? { ...entry, ...fields } : entry)),
          );
    },
    move(from, to) {
      const entries = of(from);
      if (entries.length === 0) return;
      write(to, entries);
      write(from, []);
    },
    forget(draft) {
      held.delete(draft);
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
