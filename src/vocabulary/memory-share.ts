import { Refusal } from './refusal.ts';

/**
 * What one request keeps in memory: the body as long as it is served, and what of the answer nobody has taken yet.
 * Counted once, against what its caller and all callers together may keep.
 */
export interface MemoryShare {
  /** Throws a refusal when there is no room for so many bytes more. */
  takeForRequest(bytes: number): void;
  /** The same, where only what is kept free for answers is left. */
  takeForAnswer(bytes: number): void;
  give(bytes: number): void;
}

/** For whom can do without: false when there is no room. */
export function takesForAnswer(memory: MemoryShare, bytes: number): boolean {
  try {
    memory.takeForAnswer(bytes);
    return true;
  } catch (thrown) {
    if (thrown instanceof Refusal) return false;
    throw thrown;
  }
}
