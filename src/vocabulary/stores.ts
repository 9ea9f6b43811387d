import type { FoundKeys, KeySearch } from './key-search.ts';
import type { LaneName } from './sharing.ts';
import type { UsageRecord } from './usage.ts';

/** What rooms may ask of the databases. Every call may reject when the database cannot be reached. */

export type PersonRole = 'person' | 'administrator';

/**
 * Only active people may do anything. Pending ones wait for an administrator; for withdrawn ones their provider no
 * longer vouches, and they are back when it does.
 */
export type PersonState = 'active' | 'pending' | 'disabled' | 'withdrawn';

export interface Person {
  readonly id: string;
  /** As the person writes it; unique without regard to letter case. */
  readonly email: string;
  readonly name: string;
  readonly role: PersonRole;
  readonly state: PersonState;
  /** The issuer that made this account and decides what it may; undefined for accounts of our own. */
  readonly managedBy: string | undefined;
  /** Milliseconds since the epoch, like every time in this file. */
  readonly createdAt: number;
  readonly lastSeenAt: number | undefined;
}

export interface NewPerson {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: PersonRole;
  readonly state: Exclude<PersonState, 'withdrawn'>;
  readonly createdAt: number;
  /** Undefined for people who sign in elsewhere. */
  readonly passwordHash: string | undefined;
}

export interface PersonChange {
  readonly email?: string;
  readonly name?: string;
  readonly role?: PersonRole;
  readonly state?: Exclude<PersonState, 'withdrawn'>;
  /** When the provider stopped vouching; null when it does again. */
  readonly withdrawnAt?: number | null;
  /** Null removes the password. */
  readonly passwordHash?: string | null;
}

/** Who a person is for an identity provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

export interface PersonQuery {
  /** Matches inside name and e-mail, without regard to letter case. */
  readonly search?: string | undefined;
  readonly state?: PersonState | undefined;
  readonly role?: PersonRole | undefined;
  readonly limit: number;
  /** Continue after this e-mail; people are listed in its order. */
  readonly afterEmail?: string | undefined;
}

export interface PeopleStore {
  /** Refuses with `conflict` when the e-mail is taken. */
  insert(person: NewPerson): Promise<void>;
  /** The same for somebody whom a provider vouches for, in one step with their identity. */
  insertManaged(person: NewPerson, identity: Identity): Promise<void>;
  find(personId: string): Promise<Person | undefined>;
  /** In one question, however many they are; the unknown are left out. */
  findAll(personIds: readonly string[]): Promise<readonly Person[]>;
  findByEmail(email: string): Promise<Person | undefined>;
  /** Undefined for unknown people and for people without a password. */
  readPasswordHash(personId: string): Promise<string | undefined>;
  list(query: PersonQuery): Promise<readonly Person[]>;
  count(): Promise<number>;
  /** False when there is no such person. Refuses with `conflict` when the new e-mail is taken. */
  update(personId: string, change: PersonChange): Promise<boolean>;
  noteSeen(personId: string, seenAt: number): Promise<void>;
  /** What each of these people has now. */
  readHoldings(personIds: readonly string[], now: number): Promise<ReadonlyMap<string, Holdings>>;
  /** Takes keys, identities, memberships and limits along; usage records stay. */
  remove(personId: string): Promise<boolean>;
}

export interface Holdings {
  /** Keys that work. */
  readonly usableKeys: number;
  /** What chats and documents take. */
  readonly storedBytes: number;
}

/** A key as it may be shown: neither the secret nor its digest is part of it. */
export interface KeyDescription {
  readonly id: string;
  readonly personId: string;
  readonly name: string;
  /** The first characters of the secret, enough to recognise it. */
  readonly prefix: string;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
  /** The key that takes over; this one stays valid until `expiresAt`. */
  readonly successorId: string | undefined;
  /** Empty means every model. */
  readonly models: readonly string[];
  /** Empty means every network. CIDRs. */
  readonly networks: readonly string[];
  readonly projectId: string;
  readonly lane: LaneName;
  readonly lastUsedAt: number | undefined;
  readonly lastUsedAddress: string | undefined;
}

export interface NewKey {
  readonly id: string;
  readonly personId: string;
  readonly name: string;
  readonly prefix: string;
  /** SHA-256 of the whole secret, in hexadecimal. */
  readonly digest: string;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly models: readonly string[];
  readonly networks: readonly string[];
  /** `everyone` unless said. */
  readonly projectId?: string | undefined;
  readonly lane?: LaneName | undefined;
}

/** What the key ring keeps in memory of one key that is neither revoked nor owned by an inactive person. */
export interface KeyCredential {
  readonly keyId: string;
  readonly personId: string;
  readonly name: string;
  readonly digest: string;
  readonly models: readonly string[];
  readonly networks: readonly string[];
  readonly projectId: string;
  readonly lane: LaneName;
  readonly expiresAt: number | undefined;
}

export interface KeyUse {
  readonly keyId: string;
  readonly usedAt: number;
  readonly address: string;
}

export interface KeyStore {
  /** False, and nothing is written, when the person already has `maxUsable` keys that work. */
  insert(key: NewKey, maxUsable?: number): Promise<boolean>;
  /** In one step: the successor begins, the old key ends at `oldExpiresAt`. False when the old key is gone. */
  replace(oldKeyId: string, oldExpiresAt: number, successor: NewKey): Promise<boolean>;
  find(keyId: string): Promise<KeyDescription | undefined>;
  /** In one question, however many they are; the unknown are left out. */
  findAll(keyIds: readonly string[]): Promise<readonly KeyDescription[]>;
  findByPrefix(prefix: string): Promise<readonly KeyDescription[]>;
  search(wanted: KeySearch): Promise<FoundKeys>;
  /** Newest first. Of one person, or of everybody. */
  list(personId: string | undefined): Promise<readonly KeyDescription[]>;
  /** Keys that still work at `now`. */
  countUsable(personId: string, now: number): Promise<number>;
  rename(keyId: string, name: string): Promise<boolean>;
  /** False when the key is unknown or was revoked before. */
  revoke(keyId: string, revokedAt: number): Promise<boolean>;
  noteUses(uses: readonly KeyUse[]): Promise<void>;
  /** Of all keys, or of the given keys and the keys of the given people. */
  readCredentials(of?: AccessSubjects): Promise<readonly KeyCredential[]>;
  /** Which of these people are active now; possibly some others too. */
  readActivePeople(personIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Everything about access that any process changed after `revision`. */
  readAccessChanges(revision: number): Promise<AccessChanges>;
}

export interface AccessSubjects {
  readonly keyIds: readonly string[];
  readonly personIds: readonly string[];
}

export interface AccessChanges extends AccessSubjects {
  /** Pass it in the next time. */
  readonly revision: number;
  /** False when the log of changes was pruned in between: read everything again. */
  readonly isComplete: boolean;
}

export type UsageGrouping = 'key' | 'project' | 'model' | 'day' | 'person' | 'door' | 'network';

export interface UsageQuery {
  readonly by: UsageGrouping;
  /** Inclusive; undefined means from the beginning. */
  readonly since: number | undefined;
  /** Exclusive; undefined means until now. */
  readonly until: number | undefined;
  readonly personId?: string | undefined;
  readonly project?: string | undefined;
}

export interface UsageTotals {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** The part of input and output tokens that nobody measured. */
  readonly estimatedTokens: number;
  /** Requests that did not end as `completed`. */
  readonly unfinishedRequests: number;
}

export interface UsageReportRow extends UsageTotals {
  /** The id, name or date that the row stands for; empty where requests have none (a project, for instance). */
  readonly group: string;
  /** What to show: the key's name and prefix, the person's e-mail. */
  readonly label: string;
}

export interface LargestUsage {
  readonly groups: readonly UsageReportRow[];
  readonly others: (UsageTotals & { readonly groups: number }) | undefined;
}

/** One group on one day. */
export interface UsageDayRow {
  /** `2026-02-03`, UTC. */
  readonly day: string;
  /** Null for all groups together that were not asked for by name. */
  readonly group: string | null;
  readonly requests: number;
  /** Of prompts and answers. */
  readonly tokens: number;
}

export interface UsageStore {
  report(query: UsageQuery): Promise<readonly UsageReportRow[]>;
  /** The groups that used most, and what all others used together: undefined where there are no others. */
  reportLargest(query: UsageQuery, count: number): Promise<LargestUsage>;
  /**
   * The same day by day, of whole days: those in which the period begins and ends count in full. With `groups` these
   * each for itself and the others as one.
   */
  reportDays(query: UsageQuery, groups?: readonly string[]): Promise<readonly UsageDayRow[]>;
  find(requestId: string): Promise<UsageRecord | undefined>;
  /** What was spent, by whom; for budgets. Both starts are midnights, UTC. */
  readSpending(dayStart: number, monthStart: number): Promise<readonly Spending[]>;
  /**
   * Forgets some of the requests of whole days before this moment; what they add up to stays. Gives their number: 0
   * when none is left.
   */
  forgetSome(startedBefore: number): Promise<number>;
}

export interface Spending {
  readonly project: string | null;
  readonly personId: string | null;
  readonly keyId: string | null;
  /** Of callers without a key. */
  readonly address: string | null;
  readonly model: string;
  readonly day: number;
  readonly month: number;
  readonly total: number;
}

/** Writes records into the database; applying one twice changes nothing. Lives in the journal's own thread. */
export interface UsageApplier {
  /** One call after the other. */
  apply(records: readonly UsageRecord[]): void | Promise<void>;
  close(): void | Promise<void>;
}

/**
 * Where the journal's thread finds an applier: a module that exports `openUsageApplier(location)`. Threads
 * share no objects, so the address of the code travels instead.
 */
export interface UsageApplierSource {
  readonly moduleUrl: string;
  readonly location: string;
}
