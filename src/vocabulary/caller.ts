import type { LaneName } from './sharing.ts';

/** Who asks, after admission has made up its mind. */
export type Caller = KeyCaller | NetworkCaller | PersonCaller;

export interface KeyCaller {
  readonly kind: 'key';
  readonly keyId: string;
  readonly personId: string;
}

export interface NetworkCaller {
  readonly kind: 'network';
  /** The rule that let the caller in, as written in the settings. */
  readonly cidr: string;
  readonly project: string | undefined;
}

export interface PersonCaller {
  readonly kind: 'person';
  readonly personId: string;
}

/** What a caller shows at the door; a claim proves nothing yet. */
export type Claim =
  | { readonly kind: 'key'; readonly secret: string }
  /** Of a request that another gateway had admitted before it died. */
  | { readonly kind: 'admitted-key'; readonly keyId: string }
  | { readonly kind: 'network' }
  | PersonClaim;

export interface PersonClaim {
  readonly kind: 'person';
  readonly personId: string;
  /** On the account of this project and no other. */
  readonly projectId?: string | undefined;
  /** Work of the service for the space of that project, whether or not the person is a member. */
  readonly isForSpace?: boolean | undefined;
  /** Without it a person waits for the answer. */
  readonly lane?: LaneName | undefined;
}

/** What a key may do right now: already the intersection with its owner's rights. */
export interface KeyGrant {
  readonly keyId: string;
  readonly personId: string;
  readonly name: string;
  /** Empty means every model. */
  readonly models: readonly string[];
  readonly projectId: string;
  readonly lane: LaneName;
  /** Whether the key may be used from there; compiled at its first use and kept with the key. */
  readonly permitsAddress: (address: string) => boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
}

/**
 * The keys of all people, in memory. `find` never waits, never writes and does constant work for hostile
 * input; it returns undefined for unknown, revoked and expired keys and for keys of people who are disabled.
 */
export interface KeyRing {
  find(secret: string): KeyGrant | undefined;
  /** The same for a key that was shown before. */
  findById(keyId: string): KeyGrant | undefined;
  /** Last use is kept in memory and written down in batches. */
  noteUse(keyId: string, address: string): void;
  /** Called with every key that stops being valid, so that running streams can end. */
  onWithdrawn(listener: (withdrawn: Withdrawal) => void): void;
}

export type Withdrawal =
  | { readonly kind: 'key'; readonly keyId: string }
  | { readonly kind: 'person'; readonly personId: string };
