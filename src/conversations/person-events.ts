import type { ConversationEvent } from '#vocabulary/conversations';

/** Who is looking at which person's chats. Holds listeners only; each belongs to an open connection. */
export interface PersonEvents {
  watch(personId: string, listener: (event: ConversationEvent) => void): () => void;
  announce(personId: string, event: ConversationEvent): void;
  /** What another gateway has announced, for those who watch here. */
  repeat(personId: string, event: ConversationEvent): void;
  isWatched(personId: string): boolean;
}

/** `heard` is told of everything, whether anybody watches or not. */
export function createPersonEvents(
  heard: (event: ConversationEvent, personId: string) => void,
): PersonEvents {
  const listeners = new Map<string, Set<(event: ConversationEvent) => void>>();
  return {
    watch(personId, listener) {
      const own = listeners.get(personId) ?? new Set();
      listeners.set(personId, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(personId) === own) listeners.delete(personId);
      };
    },
    announce(personId, event) {
      repeat(personId, event);
      heard(event, personId);
    },
    repeat,
    isWatched: (personId) => listeners.has(personId),
  };

  function repeat(personId: string, event: ConversationEvent): void {
    for (const listener of listeners.get(personId) ?? []) listener(event);
  }
}
