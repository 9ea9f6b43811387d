import { join } from 'node:path';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import { OperatorProblem } from '#vocabulary/operator-problem';
import type { UsageApplierSource } from '#vocabulary/stores';
import type { UsageJournal } from '#vocabulary/usage';
import { startApplyingThread } from './applying-thread-handle.ts';
import { claimOwnJournal } from './journal-directory.ts';
import { diskFiles } from './journal-files.ts';
import { createJournalFeed } from './journal-feed.ts';
import type { Durability } from './thread-messages.ts';

/**
 * Writes down exactly once what was used, under any ending. One thread keeps a journal of this process and does nothing
 * else; the event loop appends with its pen, or the end of an answer waits for it. Another brings journals, also those of dead processes, into the
 * database, where the request id makes each record count once.
 */
export interface Accounting extends UsageJournal {
  /** Resolves when the journal can be written, or when it is known that it cannot. */
  whenOpened(): Promise<void>;
  readStats(): AccountingStats;
  /**
   * Gives up after the limit. What is in the journal but not in the database is found by the next start, or by
   * another process; the number of entries that are in neither is given.
   */
  close(limitMs: number): Promise<number>;
}

export interface AccountingStats {
  /** Entries in memory that the journal does not have yet. */
  readonly pendingEntries: number;
  /** Given up because the journal could not be written for too long. */
  readonly lostOpenings: number;
  readonly lostRecords: number;
  /** In the journal, but not in the database yet. */
  readonly unappliedBytes: number;
  /** The journal takes entries. */
  readonly isWritable: boolean;
  /** The journal or the database refuses at the moment. */
  readonly isFailing: boolean;
}

export interface AccountingParts {
  readonly dataDir: string;
  readonly applier: UsageApplierSource;
  readonly durability: Durability;
  /** What happens to work while usage cannot be written. */
  readonly whenUnwritable: 'refuse' | 'serve';
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Throws an `OperatorProblem` when there can be no journal at all. */
export function createAccounting(parts: AccountingParts): Accounting {
  const root = join(parts.dataDir, 'journal');
  const own = claim(root);
  const feed = createJournalFeed({ ...parts, directory: own.path });
  const applying = startApplyingThread({
    start: { root, ownPath: own.path, applier: parts.applier },
    logger: parts.logger,
  });

  return {
    obstacle: () => feed.obstacle(),
    open: (opening) => feed.open(opening),
    checkpoint: (record) => feed.checkpoint(record),
    settle: (record) => feed.settle(record),
    async flush() {
      await feed.whenWritten();
      await applying.apply();
    },
    whenOpened: () => feed.whenOpened(),
    readStats() {
      const { pendingEntries, lostOpenings, lostRecords, isWritable } = feed.readStats();
      const { unappliedBytes } = applying;
      const isFailing = applying.isFailing || !isWritable;
      return { pendingEntries, lostOpenings, lostRecords, unappliedBytes, isWritable, isFailing };
    },
    async close(limitMs) {
      await within(limitMs, feed.close());
      const { pendingEntries, lostOpenings, lostRecords, unconfirmedEntries } = feed.readStats();
      const isApplied = await within(limitMs, applying.close());
      if (isApplied) tidyUp(own);
      return pendingEntries + lostOpenings + lostRecords + unconfirmedEntries;
    },
  };
}

function claim(root: string): ReturnType<typeof claimOwnJournal> {
  try {
    return claimOwnJournal(root, diskFiles);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorProblem(
      `The usage journal in ${root} cannot be opened (${reason}). Give the user that runs Gatehouse write access to it.`,
      cause,
    );
  }
}

/** What still runs or is not in the database stays for others to adopt. */
function tidyUp(own: ReturnType<typeof claimOwnJournal>): void {
  const isEmpty =
    diskFiles.identityOf(own.path) === undefined || diskFiles.listSegments(own.path).length === 0;
  if (isEmpty) own.remove();
  else own.release();
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
export { createUsageRetention } from './usage-retention.ts';
export { inspectJournals, type JournalsStanding } from './inspect-journals.ts';
