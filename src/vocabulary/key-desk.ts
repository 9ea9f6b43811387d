import type { Actor } from './audit.ts';
import type { LaneName } from './sharing.ts';
import type { KeyDescription } from './stores.ts';

/** What the operator allows; undefined means no limit. */
export interface KeyPolicy {
  readonly maxKeysPerPerson: number | undefined;
  readonly maxLifetimeMs: number | undefined;
}

export interface KeyWishes {
  readonly name: string;
  readonly expiresAt: number | undefined;
  readonly models: readonly string[];
  readonly networks: readonly string[];
  /** To whose account the key's use goes; its owner must be a member. */
  readonly projectId?: string | undefined;
  readonly lane?: LaneName | undefined;
}

export interface IssuedKey {
  /** Shown once and kept nowhere. */
  readonly secret: string;
  readonly key: KeyDescription;
}

/** Whose keys may be touched: one person's own, or anybody's for operators. Others' keys do not exist. */
export type KeyHolder = { readonly personId: string } | 'anybody';

/** Where keys are made, changed and taken back. Every change counts on this server before the call resolves. */
export interface KeyDesk {
  issue(personId: string, wishes: KeyWishes, by: Actor): Promise<IssuedKey>;
  list(holder: KeyHolder): Promise<readonly KeyDescription[]>;
  rename(holder: KeyHolder, keyId: string, name: string): Promise<KeyDescription>;
  /** The old key works on for `overlapMs`, never longer than it would have. */
  rotate(holder: KeyHolder, keyId: string, overlapMs: number, by: Actor): Promise<IssuedKey>;
  /** Revoking a key again is not an error. */
  revoke(holder: KeyHolder, keyId: string, by: Actor): Promise<void>;
}
