import { join } from 'node:path';
import type { Logger } from '#vocabulary/logger';
import type { UsageApplierSource } from '#vocabulary/stores';
import type { UsageJournal } from '#vocabulary/usage';
import { startJournalThread } from './journal-thread-handle.ts';
import { createPendingEntries } from './pending-entries.ts';

/**
 * Writes down exactly once what was used, under any ending. Openings and records are gathered for a few
 * milliseconds, written to an append-only journal by a thread of its own, and brought from there into the
 * database, where the request id makes each count once.
 */
export interface Accounting extends UsageJournal {
  readStats(): AccountingStats;
  /** Flushes, but gives up after the limit: what is not applied by then is replayed at the next start. */
  close(limitMs: number): Promise<void>;
}

export interface AccountingStats {
  /** Entries in memory that the disk does not have yet. */
  readonly pendingEntries: number;
  /** Given up because the disk could not be written for too long. */
  readonly lostOpenings: number;
  readonly lostRecords: number;
  /** On the disk, but not in the database yet. */
  readonly unappliedBytes: number;
  /** The disk or the database refuses at the moment. */
  readonly isFailing: boolean;
}

export interface AccountingParts {
  readonly dataDir: string;
  readonly applier: UsageApplierSource;
  readonly logger: Logger;
}

const gatherMs = 20;

/** About 100 MB when full. At ten requests a second this outlasts a full disk for hours. */
const maxPendingEntries = 100_000;

export function createAccounting({ dataDir, applier, logger }: AccountingParts): Accounting {
  const pending = createPendingEntries(maxPendingEntries);
  const thread = startJournalThread({
    start: { root: join(dataDir, 'journal'), applier },
    logger,
    batchWritten: sendSoon,
  });
  let timer: NodeJS.Timeout | undefined;
  let nextReport = 1;

  function sendSoon(): void {
    if (thread.isBusy) reportLosses();
    else if (timer === undefined && pending.size > 0) timer = setTimeout(send, gatherMs);
  }

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!thread.isBusy && pending.size > 0) {
      const count = pending.size;
      thread.write(pending.take(), count);
    }
  }

  /** At the first loss and whenever the losses have doubled: loud, but no flood. */
  function reportLosses(): void {
    const { lostOpenings, lostRecords } = pending;
    if (lostOpenings + lostRecords < nextReport) return;
    nextReport = (lostOpenings + lostRecords) * 2;
    logger.error(
      { lostOpenings, lostRecords },
      'usage was lost: the journal could not be written for too long',
    );
  }

  async function flush(): Promise<void> {
    while (pending.size > 0 || thread.isBusy) {
      send();
      await thread.whenWritten();
    }
    await thread.apply();
  }

  return {
    open(opening) {
      pending.open(opening);
      sendSoon();
    },
    settle(record) {
      pending.settle(record);
      sendSoon();
    },
    flush,
    readStats() {
      return {
        pendingEntries: pending.size + thread.entriesUnderWay,
        lostOpenings: pending.lostOpenings,
        lostRecords: pending.lostRecords,
        unappliedBytes: thread.unappliedBytes,
        isFailing: thread.isFailing,
      };
    },
    async close(limitMs) {
      const flushed = await within(limitMs, flush());
      clearTimeout(timer);
      if (!flushed) {
        logger.error({ pendingEntries: pending.size }, 'usage could not be written before the end');
      }
      await within(limitMs, thread.close());
    },
  };
}

/** False when the time is up first. */
async function within(limitMs: number, work: Promise<void>): Promise<boolean> {
  const { promise: timeUp, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, limitMs, false);
  try {
    return await Promise.race([work.then(() => true), timeUp]);
  } finally {
    clearTimeout(timer);
  }
}

export { copyJournals, type JournalCopy } from './copy-journals.ts';
export { inspectJournals, type JournalsStanding } from './inspect-journals.ts';
