import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { UsageJournal } from '#vocabulary/usage';
import { createPendingEntries } from './pending-entries.ts';
import type { Durability } from './thread-messages.ts';
import { startWritingThread } from './writing-thread-handle.ts';

/** The side of the journal that requests see: gathers entries, and lets a request go on when its entry has left. */
export interface JournalFeed extends Omit<UsageJournal, 'flush'> {
  whenOpened(): Promise<void>;
  /** Resolves when everything handed over so far has left. */
  whenWritten(): Promise<void>;
  readStats(): FeedStats;
  /** Resolves when all of it is on the disk, or never. */
  close(): Promise<void>;
}

export interface FeedStats {
  readonly pendingEntries: number;
  readonly lostOpenings: number;
  readonly lostRecords: number;
  /** After the end: handed to the system, but not known to be on the disk. */
  readonly unconfirmedEntries: number;
  readonly isWritable: boolean;
}

export interface JournalFeedParts {
  readonly directory: string;
  readonly durability: Durability;
  readonly whenUnwritable: 'refuse' | 'serve';
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A write that takes longer than this is a disk that does not answer. */
const stallMs = 5_000;

/** A request waits no longer than this for its opening, and the end of an answer for its record. */
const maxHoldMs = 10_000;
const holdTickMs = 500;

/** About 100 MB when full. At ten requests a second this outlasts a full disk for hours. */
const maxPendingEntries = 100_000;

const hasLeft = Promise.resolve(true);

/** Those who wait for one write. */
interface HeldRequests {
  readonly sinceMs: number;
  readonly haveLeft: Promise<boolean>;
  release(haveLeft: boolean): void;
}

export function createJournalFeed(parts: JournalFeedParts): JournalFeed {
  const { clock, logger, whenUnwritable } = parts;
  const pending = createPendingEntries(maxPendingEntries);
  const thread = startWritingThread({
    start: { directory: parts.directory, durability: parts.durability },
    clock,
    logger,
    batchWritten,
    failed: releaseIfServing,
  });
  /** For the next write. */
  let held: HeldRequests | undefined;
  /** With the write that is under way; the oldest first. */
  const leaving: HeldRequests[] = [];
  let sentMs = Infinity;
  let isSending = false;
  let writtenWaiters: (() => void)[] = [];
  let nextLossReport = 1;
  const holdTimer = setInterval(releaseOverdue, holdTickMs).unref();

  function send(): void {
    if (thread.isBusy) return;
    const { entries, count } = pending.take();
    if (held !== undefined) leaving.push(held);
    held = undefined;
    if (count === 0 || thread.writeNow(entries)) {
      for (const requests of leaving.splice(0)) requests.release(true);
      return;
    }
    sentMs = clock.monotonicMs();
    thread.write(entries, count);
  }

  /**
   * What is handed over in this turn of the loop leaves with one write, and what comes during it with the next. Those
   * who waited for it then go on one after the other, which costs less than to do all of it for each by itself.
   */
  function sendSoon(): void {
    if (thread.isBusy || isSending) return;
    isSending = true;
    setImmediate(() => {
      isSending = false;
      send();
    });
  }

  function batchWritten(): void {
    sentMs = Infinity;
    for (const requests of leaving.splice(0)) requests.release(true);
    if (writtenWaiters.length > 0) {
      send();
      if (!thread.isBusy) for (const resolve of writtenWaiters.splice(0)) resolve();
    } else if (pending.size > 0) sendSoon();
  }

  function problem(): string | undefined {
    if (thread.failure !== undefined) return thread.failure;
    const waitedMs = clock.monotonicMs() - sentMs;
    if (waitedMs < stallMs) return undefined;
    return `the disk of the usage journal has not taken a write for ${Math.round(waitedMs / 1000)} seconds`;
  }

  function releaseIfServing(): void {
    if (whenUnwritable === 'serve' && problem() !== undefined) release(Infinity, true);
  }

  function releaseOverdue(): void {
    releaseIfServing();
    release(clock.monotonicMs() - maxHoldMs, false);
  }

  /** Whoever has been waiting since then, or for longer. */
  function release(sinceMs: number, haveLeft: boolean): void {
    while (leaving[0] !== undefined && leaving[0].sinceMs <= sinceMs) leaving.shift()?.release(haveLeft);
    if (held === undefined || held.sinceMs > sinceMs) return;
    held.release(haveLeft);
    held = undefined;
  }

  /** At the first loss and whenever the losses have doubled: loud, but no flood. */
  function reportLosses(): void {
    const { lostOpenings, lostRecords } = pending;
    if (lostOpenings + lostRecords < nextLossReport) return;
    nextLossReport = (lostOpenings + lostRecords) * 2;
    logger.error(
      { lostOpenings, lostRecords },
      'usage was lost: the journal could not be written for too long',
    );
  }

  function whenWritten(): Promise<void> {
    const written = Promise.withResolvers<void>();
    send();
    if (thread.isBusy) writtenWaiters.push(written.resolve);
    else written.resolve();
    thread.hold(thread.isBusy);
    return written.promise.finally(() => thread.hold(writtenWaiters.length > 0));
  }

  /** Resolves when all that waits now has left, or cannot for too long. */
  function whenLeft(): Promise<boolean> {
    if (whenUnwritable === 'serve' && problem() !== undefined) return hasLeft;
    sendSoon();
    if (held === undefined) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      held = { sinceMs: clock.monotonicMs(), haveLeft: promise, release: resolve };
    }
    return held.haveLeft;
  }

  return {
    obstacle: () => (whenUnwritable === 'serve' ? undefined : problem()),
    open(opening) {
      pending.open(opening);
      reportLosses();
      return whenLeft();
    },
    checkpoint(record) {
      pending.checkpoint(record);
      sendSoon();
    },
    settle(record) {
      pending.settle(record);
      reportLosses();
      return whenLeft();
    },
    whenOpened: () => thread.whenOpened(),
    whenWritten,
    readStats: () => ({
      pendingEntries: pending.size + thread.entriesUnderWay,
      lostOpenings: pending.lostOpenings,
      lostRecords: pending.lostRecords,
      unconfirmedEntries: thread.unconfirmedEntries,
      isWritable: problem() === undefined,
    }),
    async close() {
      if (problem() === undefined) await whenWritten();
      clearInterval(holdTimer);
      await thread.close();
    },
  };
}
