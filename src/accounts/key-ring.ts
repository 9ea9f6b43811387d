import { timingSafeEqual } from 'node:crypto';
import type { KeyGrant, KeyRing, Withdrawal } from '#vocabulary/caller';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { AccessSubjects, KeyCredential, KeyStore } from '#vocabulary/stores';
import { createAddressRule } from './address-rule.ts';
import { digestOf, isWellFormed, keyLength } from './key-format.ts';
import { createKeyUseNotes } from './key-use-notes.ts';

const pollMs = 500;

/** Secrets seen lately, so that a busy key costs one lookup. The least recently added goes when it is full. */
const maxRecentSecrets = 10_000;

export interface KeyRingParts {
  readonly keys: KeyStore;
  /** Done before each look, so that what a new key depends on is known before the key is. Never rejects. */
  readonly beforeLook?: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface LiveKeyRing extends KeyRing {
  /** Reads all keys; until then every key is unknown. Afterwards looks for changes twice a second. */
  start(): Promise<void>;
  /** Makes a change of this process count at once instead of at the next look. Never rejects. */
  refresh(): Promise<void>;
  /** Stops looking and writes down the last uses. */
  stop(): Promise<void>;
  readonly size: number;
}

interface Entry {
  readonly grant: KeyGrant;
  readonly digest: string;
  readonly digestBytes: Buffer;
  recentSecret: string | undefined;
  isExpiryAnnounced: boolean;
}

export function createKeyRing({ keys, beforeLook, clock, logger }: KeyRingParts): LiveKeyRing {
  const byDigest = new Map<string, Entry>();
  const byKeyId = new Map<string, Entry>();
  const recent = new Map<string, Entry>();
  const listeners: ((withdrawn: Withdrawal) => void)[] = [];
  const useNotes = createKeyUseNotes({ keys, clock, logger });
  let revision = 0;
  let nextExpiryAt = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let lastLook = Promise.resolve();
  let isStarted = false;
  let isFailing = false;

  function find(secret: string): KeyGrant | undefined {
    if (secret.length !== keyLength) return undefined;
    return unexpired(recent.get(secret) ?? findByDigest(secret));
  }

  function unexpired(entry: Entry | undefined): KeyGrant | undefined {
    if (entry === undefined) return undefined;
    const { expiresAt } = entry.grant;
    return expiresAt === undefined || expiresAt > clock.wallMs() ? entry.grant : undefined;
  }

  function findByDigest(secret: string): Entry | undefined {
    if (!isWellFormed(secret)) return undefined;
    const digest = digestOf(secret);
    const entry = byDigest.get(digest);
    if (entry === undefined || !timingSafeEqual(entry.digestBytes, Buffer.from(digest, 'hex')))
      return undefined;
    if (recent.size >= maxRecentSecrets) forgetOldestSecret();
    entry.recentSecret = secret;
    recent.set(secret, entry);
    return entry;
  }

  function forgetOldestSecret(): void {
    for (const [secret, entry] of recent) {
      recent.delete(secret);
      entry.recentSecret = undefined;
      return;
    }
  }

  function put(credential: KeyCredential): void {
    drop(credential.keyId);
    const { digest, networks, ...rest } = credential;
    const grant: KeyGrant = { ...rest, permitsAddress: createAddressRule(networks) };
    const entry: Entry = {
      grant,
      digest,
      digestBytes: Buffer.from(digest, 'hex'),
      recentSecret: undefined,
      isExpiryAnnounced: false,
    };
    byDigest.set(digest, entry);
    byKeyId.set(grant.keyId, entry);
    if (grant.expiresAt !== undefined) nextExpiryAt = Math.min(nextExpiryAt, grant.expiresAt);
  }

  function drop(keyId: string): void {
    const entry = byKeyId.get(keyId);
    if (entry === undefined) return;
    byKeyId.delete(keyId);
    byDigest.delete(entry.digest);
    if (entry.recentSecret !== undefined) recent.delete(entry.recentSecret);
  }

  function withdraw(withdrawn: Withdrawal): void {
    for (const listener of listeners) listener(withdrawn);
  }

  async function readChanges(): Promise<void> {
    const changes = await keys.readAccessChanges(revision);
    if (changes.revision !== revision) {
      await (changes.isComplete ? readAgain(changes) : readEverything(changes.personIds));
      revision = changes.revision;
    }
  }

  async function readAgain(changed: AccessSubjects): Promise<void> {
    const credentials = await keys.readCredentials(changed);
    const people = new Set(changed.personIds);
    const suspects = new Set(changed.keyIds);
    for (const { grant } of byKeyId.values()) if (people.has(grant.personId)) suspects.add(grant.keyId);
    await replace(suspects, credentials, changed.personIds);
  }

  async function readEverything(changedPeople: readonly string[]): Promise<void> {
    const people = new Set(changedPeople);
    for (const { grant } of byKeyId.values()) people.add(grant.personId);
    await replace(new Set(byKeyId.keys()), await keys.readCredentials(), [...people]);
  }

  async function replace(
    suspects: ReadonlySet<string>,
    credentials: readonly KeyCredential[],
    personIds: readonly string[],
  ): Promise<void> {
    const activePeople = personIds.length === 0 ? new Set<string>() : await keys.readActivePeople(personIds);
    const still = new Set(credentials.map(({ keyId }) => keyId));
    for (const credential of credentials) put(credential);
    for (const keyId of suspects) {
      if (still.has(keyId) || !byKeyId.has(keyId)) continue;
      drop(keyId);
      withdraw({ kind: 'key', keyId });
    }
    for (const personId of new Set(personIds)) {
      if (!activePeople.has(personId)) withdraw({ kind: 'person', personId });
    }
  }

  /** Expired keys stay in memory: should the clock be set back, they work again like everywhere else. */
  function announceExpired(): void {
    const now = clock.wallMs();
    if (now < nextExpiryAt) return;
    nextExpiryAt = Number.POSITIVE_INFINITY;
    for (const entry of byKeyId.values()) {
      const { expiresAt, keyId } = entry.grant;
      if (expiresAt === undefined) continue;
      if (expiresAt > now) {
        nextExpiryAt = Math.min(nextExpiryAt, expiresAt);
      } else if (!entry.isExpiryAnnounced) {
        entry.isExpiryAnnounced = true;
        withdraw({ kind: 'key', keyId });
      }
    }
  }

  /** One look after the other, so that each sees every change made before it was asked for. */
  function refresh(): Promise<void> {
    if (isStarted) lastLook = lastLook.then(look);
    return lastLook;
  }

  /** Never throws: without the database, the keys known so far keep working and keep expiring. */
  async function look(): Promise<void> {
    await beforeLook?.();
    try {
      await readChanges();
      if (isFailing) logger.info({}, 'changes of keys can be read again');
      isFailing = false;
    } catch (cause) {
      if (!isFailing)
        logger.error({ error: cause }, 'changes of keys cannot be read; known keys keep working');
      isFailing = true;
    }
    announceExpired();
  }

  function schedule(): void {
    if (!isStarted) return;
    timer = setTimeout(() => void refresh().then(schedule), pollMs).unref();
  }

  return {
    find,
    findById: (keyId) => unexpired(byKeyId.get(keyId)),
    noteUse: useNotes.note,
    onWithdrawn: (listener) => void listeners.push(listener),
    async start() {
      ({ revision } = await keys.readAccessChanges(0));
      await readEverything([]);
      isStarted = true;
      schedule();
      useNotes.start();
    },
    refresh,
    async stop() {
      isStarted = false;
      clearTimeout(timer);
      await useNotes.stop();
    },
    get size() {
      return byKeyId.size;
    },
  };
}
