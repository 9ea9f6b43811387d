import type { UsageOpening, UsageRecord } from '#vocabulary/usage';
import { writeOpening, writeSettlement } from './journal-line.ts';

/**
 * What waits for the journal's thread. Bounded: when the disk has been gone for so long that this is full, the
 * oldest opening is given up (its settlement will still count), and when there is none, the oldest record.
 */
export interface PendingEntries {
  open(opening: UsageOpening): void;
  settle(record: UsageRecord): void;
  /** All of it as journal entries; afterwards nothing is pending. */
  take(): string;
  readonly size: number;
  readonly lostOpenings: number;
  readonly lostRecords: number;
}

export function createPendingEntries(maxEntries: number): PendingEntries {
  let openings = new Map<string, UsageOpening>();
  let records = new Map<string, UsageRecord>();
  let lostOpenings = 0;
  let lostRecords = 0;

  function makeRoom(): void {
    if (openings.size + records.size < maxEntries) return;
    if (deleteOldest(openings)) lostOpenings += 1;
    else if (deleteOldest(records)) lostRecords += 1;
  }

  return {
    open(opening) {
      makeRoom();
      openings.set(opening.requestId, opening);
    },
    settle(record) {
      // A request that is over before its opening was written down needs none.
      if (!openings.delete(record.requestId)) makeRoom();
      records.set(record.requestId, record);
    },
    take() {
      let entries = '';
      for (const opening of openings.values()) entries += writeOpening(opening);
      for (const record of records.values()) entries += writeSettlement(record);
      // New ones: a cleared map keeps its old table linked to its new one, and with it all that was in there.
      openings = new Map();
      records = new Map();
      return entries;
    },
    get size() {
      return openings.size + records.size;
    },
    get lostOpenings() {
      return lostOpenings;
    },
    get lostRecords() {
      return lostRecords;
    },
  };
}

function deleteOldest(entries: Map<string, unknown>): boolean {
  for (const oldest of entries.keys()) return entries.delete(oldest);
  return false;
}
