import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { systemClock } from '#vocabulary/clock';
import type { UsageApplier } from '#vocabulary/stores';
import { diskFiles } from './journal-files.ts';
import { createJournalKeeper, type JournalKeeper } from './journal-keeper.ts';
import type {
  FromJournalThread,
  JournalTask,
  JournalThreadStart,
  ToJournalThread,
} from './journal-messages.ts';

const retryMs = 1_000;
/** Records gather this long before they go into the database together. */
const applyDelayMs = 250;

interface ApplierModule {
  openUsageApplier(location: string): UsageApplier;
}

/** The thread that waits for the disk so that the event loop of the server never does. */
async function runJournalThread(port: MessagePort, start: JournalThreadStart): Promise<void> {
  const module = (await import(start.applier.moduleUrl)) as ApplierModule;
  const failing = new Set<JournalTask>();
  let keeper: JournalKeeper | undefined;
  let waitingBatch: string | undefined;
  let unansweredApplies = 0;
  let applyTimer: NodeJS.Timeout | undefined;
  let isClosing = false;

  const tell = (message: FromJournalThread) => port.postMessage(message);

  /** Tells of the first failure of a task and of its recovery, not of every attempt in between. */
  function attempt(task: JournalTask, work: () => void): boolean {
    try {
      work();
    } catch (cause) {
      if (!failing.has(task)) {
        failing.add(task);
        tell({ kind: 'failing', task, reason: cause instanceof Error ? cause.message : String(cause) });
      }
      return false;
    }
    if (failing.delete(task)) tell({ kind: 'recovered', task });
    return true;
  }

  function claim(): void {
    const isClaimed = attempt('claim', () => {
      keeper = createJournalKeeper({
        root: start.root,
        resumePath: start.resumePath,
        openApplier: () => module.openUsageApplier(start.applier.location),
        files: diskFiles,
        clock: systemClock,
      });
    });
    if (!isClaimed || keeper === undefined) {
      setTimeout(claim, retryMs);
      return;
    }
    tell({ kind: 'ready', path: keeper.path });
    replay(keeper);
    write();
    apply();
  }

  function replay(journal: JournalKeeper): void {
    const isDone = attempt('replay', () => {
      for (let report = journal.replayNext(); report !== undefined; report = journal.replayNext()) {
        tell({ kind: 'replayed', ...report });
      }
    });
    if (!isDone && !isClosing) setTimeout(() => replay(journal), retryMs);
  }

  function write(): void {
    const journal = keeper;
    const entries = waitingBatch;
    if (journal === undefined || entries === undefined) return;
    if (!attempt('write', () => journal.append(entries))) {
      setTimeout(write, retryMs);
      return;
    }
    waitingBatch = undefined;
    tell({ kind: 'written', unappliedBytes: journal.unappliedBytes });
    applyTimer ??= setTimeout(apply, applyDelayMs);
  }

  /** One piece per turn of the loop, so that the next batch does not wait for a long backlog. */
  function apply(): void {
    applyTimer = undefined;
    const journal = keeper;
    if (journal === undefined) return;
    let hasMore = false;
    const isDone = attempt('apply', () => {
      hasMore = journal.applyNext();
    });
    if (!isDone) applyTimer = setTimeout(apply, retryMs);
    else if (hasMore) applyTimer = setTimeout(apply, 0);
    else {
      tell({ kind: 'applied', answers: unansweredApplies });
      unansweredApplies = 0;
    }
  }

  function close(): void {
    isClosing = true;
    clearTimeout(applyTimer);
    attempt('apply', () => keeper?.close());
    tell({ kind: 'closed' });
    port.close();
    // A retry of something that cannot succeed must not keep the thread alive.
    setImmediate(() => process.exit());
  }

  port.on('message', (message: ToJournalThread) => {
    if (message.kind === 'batch') {
      waitingBatch = message.entries;
      write();
    } else if (message.kind === 'apply') {
      unansweredApplies += 1;
      apply();
    } else close();
  });
  claim();
}

if (parentPort !== null) await runJournalThread(parentPort, workerData as JournalThreadStart);
