import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import { diskFiles } from './journal-files.ts';
import { createJournalPen, resetPen } from './journal-pen.ts';
import { startLastingThread } from './lasting-thread.ts';
import { createQuickWriter } from './quick-writer.ts';
import type { FromWritingThread, ToWritingThread, WritingThreadStart } from './thread-messages.ts';

/** The thread that writes the journal as the rest of the room sees it. Takes one batch at a time. */
export interface WritingThreadHandle {
  /** A batch is on its way. */
  readonly isBusy: boolean;
  /** The number of entries in it. */
  readonly entriesUnderWay: number;
  /** Why the journal cannot be written at the moment. */
  readonly failure: string | undefined;
  /** After the end: of how many entries nobody knows whether they are on the disk. */
  readonly unconfirmedEntries: number;
  write(entries: string, count: number): void;
  /** Writes at once, without the thread, if that is possible just now: true when the system has the entries. */
  writeNow(entries: string): boolean;
  whenOpened(): Promise<void>;
  /** While held, the process does not end before the batch has left. */
  hold(isAwaited: boolean): void;
  close(): Promise<void>;
}

export interface WritingThreadParts {
  readonly start: Omit<WritingThreadStart, 'pen'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly batchWritten: () => void;
  readonly failed: () => void;
}

export function startWritingThread({
  start,
  clock,
  logger,
  batchWritten,
  failed,
}: WritingThreadParts): WritingThreadHandle {
  const opened = Promise.withResolvers<void>();
  let failure: string | undefined = 'the usage journal is not open yet';
  let isReported = false;
  let unwritten: string | undefined;
  let entriesUnderWay = 0;
  let unconfirmedEntries = 0;
  const pen = createJournalPen();

  const thread = startLastingThread<ToWritingThread, FromWritingThread>({
    module: new URL('./writing-thread.ts', import.meta.url),
    name: 'gatehouse-journal',
    workerData: { ...start, pen },
    logger,
    heard,
    died() {
      resetPen(pen);
      fail('the thread that writes it has failed');
    },
    restarted() {
      if (unwritten !== undefined) thread.post({ kind: 'batch', entries: unwritten });
    },
  });

  const quick = createQuickWriter({
    directory: start.directory,
    pen,
    files: diskFiles,
    clock,
    begun: () => thread.post({ kind: 'pen-used' }),
  });

  function heard(message: FromWritingThread): void {
    switch (message.kind) {
      case 'open':
        failure = undefined;
        if (isReported) logger.info({}, 'the usage journal can be written again');
        isReported = false;
        opened.resolve();
        break;
      case 'written':
        unwritten = undefined;
        entriesUnderWay = 0;
        batchWritten();
        break;
      case 'failing':
        fail(message.reason);
        break;
      case 'closed':
        ({ unconfirmedEntries } = message);
        break;
    }
  }

  function fail(reason: string): void {
    failure = `the usage journal cannot be written: ${reason}`;
    if (!isReported) logger.error({ reason }, 'the usage journal cannot be written');
    isReported = true;
    opened.resolve();
    failed();
  }

  return {
    get isBusy() {
      return unwritten !== undefined;
    },
    get entriesUnderWay() {
      return entriesUnderWay;
    },
    get failure() {
      return failure;
    },
    get unconfirmedEntries() {
      return unconfirmedEntries;
    },
    write(entries, count) {
      unwritten = entries;
      entriesUnderWay = count;
      thread.post({ kind: 'batch', entries });
    },
    writeNow: (entries) => unwritten === undefined && quick.write(entries),
    async whenOpened() {
      thread.hold(true);
      await opened.promise;
      thread.hold(false);
    },
    hold: (isAwaited) => thread.hold(isAwaited),
    async close() {
      await thread.end({ kind: 'close' });
      quick.close();
    },
  };
}
