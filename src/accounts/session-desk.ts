import { createHash } from 'node:crypto';
import type { SessionRecord, SessionStore, SignInLinkStore } from '#vocabulary/account-stores';
import type { AuditTrail } from '#vocabulary/audit';
import type { Device, EndedSessions, Entrance, SessionDesk, SignedIn } from '#vocabulary/person-desks';
import type { Clock } from '#vocabulary/clock';
import { mintId } from '#vocabulary/ids';
import type { PeopleStore, Person } from '#vocabulary/stores';
import { digestOf, mintSecretToken } from './secret-token.ts';

/** A person with more devices than this loses the one that was idle longest. */
const maxSessionsPerPerson = 50;
/** Being seen is written down at most this often. */
const seenIntervalMs = 60_000;

export interface SessionLifetimes {
  /** Without use. */
  readonly idleMs: number;
  /** In any case. */
  readonly absoluteMs: number;
  /** Without a word of the provider that vouches for it. */
  readonly uncheckedMs: number;
}

export interface SessionOpening {
  readonly method: string;
  readonly providerId?: string;
  readonly idToken?: string | undefined;
}

/** The desk as the rest of the room sees it: it can also open sessions. */
export interface OpeningSessionDesk extends SessionDesk {
  /** Somebody comes in: goes into the audit trail, with who made the link if it was one. */
  signIn(person: Person, entrance: Entrance, opening: SessionOpening, linkMadeBy?: string): Promise<SignedIn>;
  /** Somebody who is in already gets a new session. */
  open(person: Person, entrance: Entrance, opening: SessionOpening): Promise<SignedIn>;
  /** All of them, as a part of something else that was written down. */
  clear(personId: string): Promise<number>;
  /** Closes what is open of somebody who is not let in any more; whoever holds a session can still be told why. */
  suspend(personId: string): Promise<void>;
  /** Those that came through one provider. */
  endThrough(personId: string, providerId: string): Promise<void>;
}

export function createSessionDesk(needs: {
  readonly store: SessionStore;
  /** Whoever signs in or out has no open sign-in link afterwards. */
  readonly links: SignInLinkStore;
  readonly people: PeopleStore;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly lifetimes: SessionLifetimes;
  /** Sessions through a provider that is not used any more are over. */
  readonly knowsProvider: (providerId: string) => boolean;
}): OpeningSessionDesk {
  const { store, links, people, audit, clock, lifetimes } = needs;
  const listeners = new Set<(ended: EndedSessions) => void>();

  return {
    open,

    async signIn(person, entrance, opening, linkMadeBy = '') {
      const signedIn = await open(person, entrance, opening);
      const by = { kind: 'person', personId: person.id, device: entrance.device } as const;
      const isByOthers = linkMadeBy !== '' && linkMadeBy !== person.id;
      const detail = {
        method: opening.method,
        session: signedIn.session.id,
        ...(isByOthers && { linkMadeBy }),
      };
      await audit.note({ kind: 'sign-in', by, personId: person.id, detail, mustTell: isByOthers });
      return signedIn;
    },

    clear,

    async suspend(personId) {
      await links.removeOf(personId);
      announce({ personId, sessionId: undefined });
    },

    async isOfDisabled(token) {
      if (token.length === 0 || token.length > 100) return false;
      const record = await store.findByTokenDigest(digestOf(token));
      if (record === undefined || expiryOf(record) <= clock.wallMs()) return false;
      return (await people.find(record.personId))?.state === 'disabled';
    },

    async find(token, device) {
      if (token.length === 0 || token.length > 100) return undefined;
      const record = await store.findByTokenDigest(digestOf(token));
      if (record === undefined) return undefined;
      const now = clock.wallMs();
      if (expiryOf(record) <= now) {
        await drop(record.personId, record.id);
        return undefined;
      }
      const person = await people.find(record.personId);
      if (person === undefined || person.state !== 'active') return undefined;
      return describe(await noteSeen(record, device, now), person, token);
    },

    async list(personId) {
      if ((await people.find(personId))?.state === 'disabled') return [];
      const now = clock.wallMs();
      const records = await store.listOf(personId);
      return records
        .map((record) => ({ ...record, expiresAt: expiryOf(record) }))
        .filter((record) => record.expiresAt > now);
    },

    async end(personId, sessionId, by) {
      const existed = await drop(personId, sessionId);
      if (!existed) return false;
      await links.removeOf(personId);
      await audit.note({ kind: 'sign-out', by, personId, detail: { session: sessionId } });
      return true;
    },

    async endAll(personId, by, exceptSessionId) {
      const sessions = await clear(personId, exceptSessionId);
      await audit.note({ kind: 'sign-out', by, personId, detail: { sessions } });
    },

    async endThrough(personId, providerId) {
      for (const session of await store.listOf(personId)) {
        if (session.providerId === providerId) await drop(personId, session.id);
      }
    },

    onEnded(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  async function open(person: Person, entrance: Entrance, opening: SessionOpening): Promise<SignedIn> {
    const now = clock.wallMs();
    if (entrance.previousToken !== undefined) await dropByToken(entrance.previousToken);
    await links.removeOf(person.id);
    await store.removeEnded(now, now - lifetimes.idleMs);
    const sessions = await store.listOf(person.id);
    for (const surplus of sessions.slice(maxSessionsPerPerson - 1)) await drop(person.id, surplus.id);
    const token = mintSecretToken();
    const record: SessionRecord = {
      id: mintId('session'),
      personId: person.id,
      tokenDigest: digestOf(token),
      createdAt: now,
      lastSeenAt: now,
      endsAt: now + lifetimes.absoluteMs,
      userAgent: entrance.device.userAgent.slice(0, 300),
      address: entrance.device.address,
      method: opening.method,
      providerId: opening.providerId,
      idToken: opening.idToken,
      checkedAt: opening.providerId === undefined ? undefined : now,
    };
    await store.insert(record);
    await people.noteSeen(person.id, now);
    return { token, session: describe(record, person, token) };
  }

  async function clear(personId: string, exceptSessionId?: string): Promise<number> {
    await links.removeOf(personId);
    const removed = await store.removeAllOf(personId, exceptSessionId);
    // Another process may have removed them before: what is open here must close all the same.
    if (exceptSessionId === undefined) announce({ personId, sessionId: undefined });
    else for (const sessionId of removed) announce({ personId, sessionId });
    return removed.length;
  }

  async function drop(personId: string, sessionId: string): Promise<boolean> {
    const existed = await store.remove(personId, sessionId);
    if (existed) announce({ personId, sessionId });
    return existed;
  }

  async function dropByToken(token: string): Promise<void> {
    const record = await store.findByTokenDigest(digestOf(token));
    if (record !== undefined) await drop(record.personId, record.id);
  }

  function announce(ended: EndedSessions): void {
    for (const listener of listeners) listener(ended);
  }

  async function noteSeen(record: SessionRecord, device: Device, now: number): Promise<SessionRecord> {
    if (now - record.lastSeenAt < seenIntervalMs && device.address === record.address) return record;
    await store.noteSeen(record.id, now, device.address);
    await people.noteSeen(record.personId, now);
    return { ...record, lastSeenAt: now, address: device.address };
  }

  function expiryOf(record: SessionRecord): number {
    const ofOurOwn = Math.min(record.endsAt, record.lastSeenAt + lifetimes.idleMs);
    if (record.providerId === undefined) return ofOurOwn;
    if (!needs.knowsProvider(record.providerId)) return 0;
    return Math.min(ofOurOwn, (record.checkedAt ?? record.createdAt) + lifetimes.uncheckedMs);
  }

  function describe(record: SessionRecord, person: Person, token: string) {
    const { id, method } = record;
    return { id, person, method, csrfToken: csrfTokenOf(token), expiresAt: expiryOf(record) };
  }
}

/** Known to whoever holds the cookie's token, and says nothing about it. */
function csrfTokenOf(token: string): string {
  return createHash('sha256').update(`csrf ${token}`).digest('base64url');
}
