import type { UsageOpening, UsageRecord } from '#vocabulary/usage';
import { writeCheckpoint, writeOpening, writeSettlement } from './journal-line.ts';

/**
 * What waits for the journal's thread. Bounded: when the disk has been gone for so long that this is full, the
 * oldest opening is given up (its settlement will still count), and when there is none, the oldest record.
 */
export interface PendingEntries {
  open(opening: UsageOpening): void;
  /** Replaces an earlier checkpoint of the same request that still waits here. */
  checkpoint(record: UsageRecord): void;
  settle(record: UsageRecord): void;
  /** All of it, as journal entries. */
  take(): { readonly entries: string; readonly count: number };
  readonly size: number;
  readonly lostOpenings: number;
  readonly lostRecords: number;
}

export function createPendingEntries(maxEntries: number): PendingEntries {
  let openings = new Map<string, UsageOpening>();
  let checkpoints = new Map<string, UsageRecord>();
  let records = new Map<string, UsageRecord>();
  let lostOpenings = 0;
  let lostRecords = 0;

  const size = () => openings.size + checkpoints.size + records.size;

  function makeRoom(): void {
    if (size() < maxEntries || deleteOldest(checkpoints)) return;
    if (deleteOldest(openings)) lostOpenings += 1;
    else if (deleteOldest(records)) lostRecords += 1;
  }

  return {
    open(opening) {
      makeRoom();
      openings.set(opening.requestId, opening);
    },
    checkpoint(record) {
      // A checkpoint says all that the opening says.
      if (!openings.delete(record.requestId) && !checkpoints.has(record.requestId)) makeRoom();
      checkpoints.set(record.requestId, record);
    },
    settle(record) {
      const { requestId } = record;
      // A request that is over before its opening was written down needs none.
      const hadOpening = openings.delete(requestId);
      const hadCheckpoint = checkpoints.delete(requestId);
      if (!hadOpening && !hadCheckpoint) makeRoom();
      records.set(requestId, record);
    },
    take() {
      const count = size();
      let entries = '';
      for (const opening of openings.values()) entries += writeOpening(opening);
      for (const record of checkpoints.values()) entries += writeCheckpoint(record);
      for (const record of records.values()) entries += writeSettlement(record);
      // A map that only ever changes keeps its old tables, and with them all that was in there.
      if (openings.size > 0) openings = new Map();
      if (checkpoints.size > 0) checkpoints = new Map();
      if (records.size > 0) records = new Map();
      return { entries, count };
    },
    get size() {
      return size();
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
