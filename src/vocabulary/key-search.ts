import type { KeyDescription, Person } from './stores.ts';

/** Everybody's keys, a page of them. */
export interface KeySearch {
  /** Inside the names of key and owner, the address of the owner, and the first characters of the key. */
  readonly search?: string | undefined;
  readonly projectId?: string | undefined;
  readonly state?: KeyState | undefined;
  /** The moment for which the state is asked. */
  readonly now: number;
  readonly skip: number;
  readonly limit: number;
}

/** `unused`: works, and was never used or not for 90 days. */
export type KeyState = 'active' | 'unused' | 'expired' | 'revoked';

export type OwnedKey = KeyDescription & { readonly owner: Person };

export interface FoundKeys {
  /** Newest first. */
  readonly keys: readonly OwnedKey[];
  /** Of all that are meant, on whatever page. */
  readonly total: number;
}
