import { hash } from 'node:crypto';
import type { AuditEntry, AuditStore, ChainVerdict } from '#vocabulary/audit';

export type UnchainedEntry = Omit<AuditEntry, 'position' | 'previousHash' | 'hash'>;

/** The entry that follows the last one: a change of any entry before it changes every hash after it. */
export function chain(entry: UnchainedEntry, last: AuditEntry | undefined): AuditEntry {
  const placed = { ...entry, position: (last?.position ?? 0) + 1, previousHash: last?.hash ?? '' };
  return { ...placed, hash: hashOf(placed) };
}

/** Reads the whole trail. With `expected`, an entry with this hash must be in it. */
export async function verifyChain(store: AuditStore, expected?: string): Promise<ChainVerdict> {
  let last: AuditEntry | undefined;
  let hasExpected = expected === undefined;
  for (;;) {
    const page = await store.read(last?.position ?? 0, 1000);
    for (const entry of page) {
      const flaw = flawOf(entry, last);
      if (flaw !== undefined) return { entries: last?.position ?? 0, head: last?.hash ?? '', flaw };
      hasExpected ||= entry.hash === expected;
      last = entry;
    }
    if (page.length === 0) break;
  }
  const flaw = hasExpected
    ? undefined
    : `No entry has the hash ${expected}: the end of the trail is missing.`;
  return { entries: last?.position ?? 0, head: last?.hash ?? '', flaw };
}

function flawOf(entry: AuditEntry, last: AuditEntry | undefined): string | undefined {
  const position = (last?.position ?? 0) + 1;
  if (entry.position !== position) return `Entry ${position} is missing.`;
  if (entry.previousHash !== (last?.hash ?? ''))
    return `Entry ${position} does not follow the one before it.`;
  return entry.hash === hashOf(entry) ? undefined : `Entry ${position} was changed.`;
}

function hashOf(entry: Omit<AuditEntry, 'hash'>): string {
  const { position, at, kind, actorKind, actorId, personId, address, userAgent, detail, isNotice } = entry;
  const told = [position, at, kind, actorKind, actorId, personId, address, userAgent, detail, isNotice];
  return hash('sha256', JSON.stringify([entry.previousHash, ...told.map((value) => value ?? null)]), 'hex');
}
