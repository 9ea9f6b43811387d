import type { UsageApplier } from '#vocabulary/stores';
import type { UsageOpening, UsageRecord } from '#vocabulary/usage';
import type { JournalDirectory } from './journal-directory.ts';
import type { JournalFiles } from './journal-files.ts';
import { createJournalLedger } from './journal-ledger.ts';

export interface ReplayReport {
  /** Requests that a dead process had begun; they are on the books as `interrupted`. */
  readonly interruptedRequests: number;
  readonly damagedLines: number;
}

const bytesPerToken = 4;
const batchSize = 500;

/**
 * Brings what a dead process wrote into the books and deletes its journal. Being killed on the way is harmless:
 * the request ids make every record count once, however often this runs.
 */
export function replayJournal(
  directory: JournalDirectory,
  files: JournalFiles,
  applier: UsageApplier,
): ReplayReport {
  const ledger = createJournalLedger({ files, applier });
  for (const path of files.listSegments(directory.path)) {
    ledger.add({ path, syncedBytes: files.sizeOf(path), isSealed: true });
  }
  while (ledger.applyNext());
  const interrupted = ledger.readUnsettled().map(toInterrupted);
  for (let start = 0; start < interrupted.length; start += batchSize) {
    applier.apply(interrupted.slice(start, start + batchSize));
  }
  directory.remove();
  return { interruptedRequests: interrupted.length, damagedLines: ledger.damagedLines };
}

/** Nobody knows what the engine did; the prompt at least was read. */
function toInterrupted(opening: UsageOpening): UsageRecord {
  return {
    ...opening,
    engine: undefined,
    ending: 'interrupted',
    status: 0,
    usage: {
      inputTokens: Math.ceil(opening.requestBytes / bytesPerToken),
      outputTokens: 0,
      cachedTokens: 0,
      reasoningTokens: 0,
      isEstimated: true,
    },
    waitMs: 0,
    firstByteMs: undefined,
    durationMs: 0,
  };
}
