import { Worker } from 'node:worker_threads';
import type { Logger } from '#vocabulary/logger';
import type {
  FromJournalThread,
  JournalTask,
  JournalThreadStart,
  ToJournalThread,
} from './journal-messages.ts';

/** The journal's thread as the rest of the room sees it. Takes one batch at a time. */
export interface JournalThreadHandle {
  /** A batch is on its way to the disk. */
  readonly isBusy: boolean;
  /** The number of entries in it. */
  readonly entriesUnderWay: number;
  readonly isFailing: boolean;
  readonly unappliedBytes: number;
  write(entries: string, count: number): void;
  /** Resolves when no batch is on its way. */
  whenWritten(): Promise<void>;
  /** Resolves when the database holds everything written so far. */
  apply(): Promise<void>;
  close(): Promise<void>;
}

export interface JournalThreadParts {
  readonly start: Omit<JournalThreadStart, 'resumePath'>;
  readonly logger: Logger;
  readonly batchWritten: () => void;
}

const restartMs = 1_000;

/** A thread that dies is replaced; the new one goes on with the same journal and gets the lost batch again. */
export function startJournalThread({ start, logger, batchWritten }: JournalThreadParts): JournalThreadHandle {
  const failing = new Set<JournalTask | 'thread'>();
  let unwritten: string | undefined;
  let entriesUnderWay = 0;
  let writtenWaiters: (() => void)[] = [];
  let appliedWaiters: (() => void)[] = [];
  let closedWaiters: (() => void)[] = [];
  let unappliedBytes = 0;
  let resumePath: string | undefined;
  let isClosing = false;
  let worker = launch();

  function launch(): Worker {
    const workerData: JournalThreadStart = { ...start, resumePath };
    const launched = new Worker(new URL('./journal-thread.ts', import.meta.url), {
      workerData,
      name: 'gatehouse-journal',
      execArgv: [],
    });
    launched.on('message', heard);
    let failure: unknown;
    launched.on('error', (cause) => {
      failure = cause;
    });
    launched.on('exit', () => exited(failure));
    launched.unref();
    return launched;
  }

  function post(message: ToJournalThread): void {
    worker.postMessage(message, []);
  }

  function heard(message: FromJournalThread): void {
    switch (message.kind) {
      case 'ready':
        resumePath = message.path;
        failing.delete('thread');
        break;
      case 'replayed':
        reportReplay(message);
        break;
      case 'written':
        unwritten = undefined;
        entriesUnderWay = 0;
        unappliedBytes = message.unappliedBytes;
        writtenWaiters = release(writtenWaiters);
        batchWritten();
        holdProcess();
        break;
      case 'applied':
        unappliedBytes = 0;
        for (const waiter of appliedWaiters.splice(0, message.answers)) waiter();
        holdProcess();
        break;
      case 'failing':
        failing.add(message.task);
        logger.error({ reason: message.reason }, failureSentences[message.task]);
        break;
      case 'recovered':
        failing.delete(message.task);
        logger.info({}, recoverySentences[message.task]);
        break;
      case 'closed':
        closedWaiters = release(closedWaiters);
        break;
    }
  }

  /** The thread keeps the process alive only while somebody waits for it. */
  function holdProcess(): void {
    if (writtenWaiters.length + appliedWaiters.length + closedWaiters.length > 0) worker.ref();
    else worker.unref();
  }

  function reportReplay({
    interruptedRequests,
    damagedLines,
  }: {
    interruptedRequests: number;
    damagedLines: number;
  }) {
    logger.info({ interruptedRequests }, 'usage of an earlier run that did not end well is now on the books');
    if (damagedLines > 0)
      logger.warn({ damagedLines }, 'some lines of its journal were damaged and left out');
  }

  function exited(failure: unknown): void {
    closedWaiters = release(closedWaiters);
    if (isClosing) return;
    failing.add('thread');
    logger.error({ err: failure }, 'the journal thread failed and is started again');
    setTimeout(() => {
      if (isClosing) return;
      worker = launch();
      if (unwritten !== undefined) post({ kind: 'batch', entries: unwritten });
      for (let waiting = appliedWaiters.length; waiting > 0; waiting -= 1) post({ kind: 'apply' });
    }, restartMs).unref();
  }

  return {
    get isBusy() {
      return unwritten !== undefined;
    },
    get isFailing() {
      return failing.size > 0;
    },
    get unappliedBytes() {
      return unappliedBytes;
    },
    get entriesUnderWay() {
      return entriesUnderWay;
    },
    write(entries, count) {
      unwritten = entries;
      entriesUnderWay = count;
      post({ kind: 'batch', entries });
    },
    whenWritten() {
      if (unwritten === undefined) return Promise.resolve();
      return new Promise((resolve) => {
        writtenWaiters.push(resolve);
        holdProcess();
      });
    },
    apply() {
      return new Promise((resolve) => {
        appliedWaiters.push(resolve);
        post({ kind: 'apply' });
        holdProcess();
      });
    },
    close() {
      isClosing = true;
      return new Promise((resolve) => {
        closedWaiters.push(resolve);
        post({ kind: 'close' });
        holdProcess();
      });
    },
  };
}

const failureSentences: Readonly<Record<JournalTask, string>> = {
  claim: 'the usage journal cannot be opened; usage is kept in memory until it can',
  write: 'the usage journal cannot be written; usage is kept in memory until it can. Is the disk full?',
  apply: 'usage cannot be brought into the database; it is safe in the journal until then',
  replay: 'the journal of an earlier run cannot be brought into the database; trying again',
};

const recoverySentences: Readonly<Record<JournalTask, string>> = {
  claim: 'the usage journal is open now',
  write: 'the usage journal can be written again; nothing more is kept in memory',
  apply: 'usage is brought into the database again',
  replay: 'the journal of an earlier run could be read now',
};

function release(waiters: readonly (() => void)[]): (() => void)[] {
  for (const waiter of waiters) waiter();
  return [];
}
