import type { UsageApplier } from '#vocabulary/stores';
import { noUsage, type UsageRecord } from '#vocabulary/usage';
import type { JournalDirectory } from './journal-directory.ts';
import type { JournalFiles } from './journal-files.ts';
import { createJournalLedger } from './journal-ledger.ts';
import type { JournalEntry } from './journal-line.ts';
import { readOpening, readRecord } from './usage-fields.ts';

/** Brings what a dead process wrote into the books, piece by piece, and deletes its journal. */
export interface JournalReplay {
  /** Undefined when there is more to do. Rejects when the files or the database fail; then it may be tried again. */
  next(): Promise<ReplayReport | undefined>;
}

export interface ReplayReport {
  /** Requests that a dead process had begun; they are on the books as `interrupted`. */
  readonly interruptedRequests: number;
  readonly damagedLines: number;
}

const batchSize = 500;

/**
 * Being killed on the way is harmless: the request ids make every record count once, however often this runs. A
 * segment may be deleted before the rest is read, because it goes only when nothing in it is a last word.
 */
export function createJournalReplay(
  directory: JournalDirectory,
  files: JournalFiles,
  applier: UsageApplier,
): JournalReplay {
  const ledger = createJournalLedger({ directory: directory.path, files, applier });
  ledger.finish();
  let interrupted: readonly UsageRecord[] | undefined;
  let applied = 0;
  return {
    async next() {
      if (interrupted === undefined) {
        if (!(await ledger.applyNext())) interrupted = ledger.readUnsettled().map(toInterrupted);
        return undefined;
      }
      if (applied < interrupted.length) {
        await applier.apply(interrupted.slice(applied, applied + batchSize));
        applied += batchSize;
        return undefined;
      }
      directory.remove();
      return { interruptedRequests: interrupted.length, damagedLines: ledger.damagedLines };
    },
  };
}

const bytesPerToken = 4;

/** The record of a request that never ended: its last checkpoint, or what its opening lets one guess. */
function toInterrupted({ kind, requestId, json }: JournalEntry): UsageRecord {
  if (kind !== 'opening') return readRecord(requestId, json);
  const opening = readOpening(requestId, json);
  return {
    ...opening,
    engine: undefined,
    ending: 'interrupted',
    status: 0,
    // Nobody knows what the engine did; the prompt at least was read.
    usage: { ...noUsage, inputTokens: Math.ceil(opening.requestBytes / bytesPerToken), isEstimated: true },
    waitMs: 0,
    firstByteMs: undefined,
    durationMs: 0,
    cost: 0,
  };
}
