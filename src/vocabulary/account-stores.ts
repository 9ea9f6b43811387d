import type { LetterFate } from './mail.ts';
import type { Identity, NewPerson, PersonRole } from './stores.ts';

/** What `accounts` asks of the databases beyond people and keys. Times are milliseconds since the epoch. */

export interface SessionRecord {
  readonly id: string;
  readonly personId: string;
  /** SHA-256 of the token in the cookie, in hexadecimal. */
  readonly tokenDigest: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** Whatever happens, the session is over then. */
  readonly endsAt: number;
  readonly userAgent: string;
  readonly address: string;
  /** `password`, `link`, `invitation`, or the name of a provider. */
  readonly method: string;
  /** Set when a provider vouched for the person: what it wants to see at sign-out. */
  readonly providerId: string | undefined;
  readonly idToken: string | undefined;
  /** When the provider last vouched for the person. */
  readonly checkedAt: number | undefined;
}

export interface SessionStore {
  insert(session: SessionRecord): Promise<void>;
  findByTokenDigest(tokenDigest: string): Promise<SessionRecord | undefined>;
  /** Last seen first. */
  listOf(personId: string): Promise<readonly SessionRecord[]>;
  noteSeen(sessionId: string, seenAt: number, address: string): Promise<void>;
  /** False when the person has no such session. */
  remove(personId: string, sessionId: string): Promise<boolean>;
  /** Returns the ids that were removed. */
  removeAllOf(personId: string, exceptSessionId?: string): Promise<readonly string[]>;
  /** The sessions that one of these providers vouches for. */
  noteChecked(personId: string, providerIds: readonly string[], checkedAt: number): Promise<void>;
  removeEnded(now: number, idleSince: number): Promise<void>;
}

/** Who a person is for an identity provider, and when that was last confirmed. */
export interface IdentityRecord extends Identity {
  readonly personId: string;
  readonly checkedAt: number;
  /** Sealed: worth nothing without the secret that we share with the provider. */
  readonly refreshToken: string | undefined;
}

export interface IdentityStore {
  find(identity: Identity): Promise<IdentityRecord | undefined>;
  listOf(personId: string): Promise<readonly IdentityRecord[]>;
  /** An identity belongs to one person; linking it again moves nothing and refuses with `conflict`. */
  link(personId: string, identity: Identity, now: number): Promise<void>;
  unlink(personId: string, issuer: string): Promise<boolean>;
  noteChecked(identity: Identity, checkedAt: number, refreshToken: string | undefined): Promise<void>;
  forgetRefreshToken(identity: Identity): Promise<void>;
  /** Those that can be asked about without their person, not checked since; the oldest first. */
  listDue(checkedBefore: number, limit: number): Promise<readonly IdentityRecord[]>;
  /** Those whose provider vouches for the account and has not done so since. */
  listUnconfirmed(checkedBefore: number, limit: number): Promise<readonly IdentityRecord[]>;
}

/** A link that signs one person in, once. A person has one at a time. */
export interface SignInLinkStore {
  /** Takes the place of the one before. */
  insert(link: {
    tokenDigest: string;
    personId: string;
    createdAt: number;
    expiresAt: number;
    /** A person's id, a user of the machine, or empty for the service itself. */
    madeBy: string;
  }): Promise<void>;
  /** In one step: whose it is, and the link is used up. Undefined when unknown, used or over. */
  take(
    tokenDigest: string,
    now: number,
  ): Promise<{ readonly personId: string; readonly madeBy: string } | undefined>;
  removeOf(personId: string): Promise<void>;
}

export interface InvitationRecord {
  readonly id: string;
  readonly tokenDigest: string;
  readonly email: string | undefined;
  readonly role: PersonRole;
  readonly invitedBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly acceptedAt: number | undefined;
  readonly revokedAt: number | undefined;
  /** Of which whoever accepts becomes a member. */
  readonly projects: readonly string[];
  /** Undefined: none was to be sent. */
  readonly letter: 'waiting' | LetterFate | undefined;
}

export interface InvitationStore {
  insert(invitation: InvitationRecord): Promise<void>;
  findByTokenDigest(tokenDigest: string): Promise<InvitationRecord | undefined>;
  /** Newest first, at most 500. */
  list(): Promise<readonly InvitationRecord[]>;
  /**
   * In one step: the invitation is used up and the person exists, or neither. False when it was accepted or revoked
   * before, or is over; refuses with `conflict` when the e-mail is taken.
   */
  accept(invitationId: string, newcomer: NewPerson): Promise<boolean>;
  noteLetter(invitationId: string, fate: LetterFate): Promise<void>;
  revoke(invitationId: string, now: number): Promise<boolean>;
}

/** What a person chose in the web application, as a JSON object; empty for somebody who never chose. */
export interface PreferenceStore {
  read(personId: string): Promise<Readonly<Record<string, unknown>>>;
  write(personId: string, preferences: Readonly<Record<string, unknown>>): Promise<void>;
}

export interface PersonUsageRow {
  /** `2026-02-03`, UTC. */
  readonly day: string;
  readonly model: string;
  readonly door: 'proxy' | 'direct' | 'chat';
  readonly keyId: string | undefined;
  readonly keyName: string | undefined;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
}

export interface PersonUsageStore {
  /** `since` inclusive, `until` exclusive. At most 20,000 rows, newest days first. */
  rowsOf(personId: string, since: number, until: number): Promise<readonly PersonUsageRow[]>;
}
