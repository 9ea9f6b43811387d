import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { UsageApplier } from '#vocabulary/stores';
import { diskFiles } from './journal-files.ts';
import { createJournalReader } from './journal-reader.ts';
import type {
  ApplyingTask,
  ApplyingThreadStart,
  FromApplyingThread,
  ToApplyingThread,
} from './thread-messages.ts';

const retryMs = 1_000;
/** Records gather this long before they go into the database together. */
const applyEveryMs = 250;
/** A process that dies beside us is noticed after this long at the latest. */
const adoptEveryMs = 3_000;

interface ApplierModule {
  openUsageApplier(location: string): UsageApplier;
}

/** The thread that brings journals into the database, as far behind their writers as it has to be. */
async function runApplyingThread(port: MessagePort, start: ApplyingThreadStart): Promise<void> {
  const module = (await import(start.applier.moduleUrl)) as ApplierModule;
  const reader = createJournalReader({
    root: start.root,
    ownPath: start.ownPath,
    openApplier: () => module.openUsageApplier(start.applier.location),
    files: diskFiles,
  });
  const failing = new Set<ApplyingTask>();
  let unansweredApplies = 0;
  let lastUnappliedBytes = 0;
  let applyTimer: NodeJS.Timeout | undefined;
  let adoptTimer: NodeJS.Timeout | undefined;
  let isReplaying = true;

  const tell = (message: FromApplyingThread) => port.postMessage(message);

  /** Tells of the first failure of a task and of its recovery, not of every attempt in between. */
  function attempt(task: ApplyingTask, work: () => void): boolean {
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

  /** One piece per turn, so that the own journal and those of the dead advance side by side. */
  function apply(): void {
    clearTimeout(applyTimer);
    let hasMore = false;
    const isDone = attempt('apply', () => {
      hasMore = reader.applyNext();
    });
    if (reader.unappliedBytes !== lastUnappliedBytes) {
      lastUnappliedBytes = reader.unappliedBytes;
      tell({ kind: 'standing', unappliedBytes: lastUnappliedBytes });
    }
    applyTimer = setTimeout(apply, isDone ? (hasMore ? 0 : applyEveryMs) : retryMs);
    if (!isDone || hasMore || isReplaying || unansweredApplies === 0) return;
    tell({ kind: 'applied', answers: unansweredApplies });
    unansweredApplies = 0;
  }

  function adopt(): void {
    const isDone = attempt('adopt', () => reader.adopt());
    isReplaying ||= isDone;
    if (isDone) replay();
    else adoptTimer = setTimeout(adopt, retryMs);
  }

  function replay(): void {
    let report: ReturnType<typeof reader.replayNext>;
    const isDone = attempt('adopt', () => {
      report = reader.replayNext();
    });
    if (typeof report === 'object') tell({ kind: 'adopted', ...report });
    if (!isDone) adoptTimer = setTimeout(replay, retryMs);
    else if (report !== undefined) adoptTimer = setTimeout(replay, 0);
    else {
      isReplaying = false;
      adoptTimer = setTimeout(adopt, adoptEveryMs);
    }
  }

  function close(): void {
    clearTimeout(applyTimer);
    clearTimeout(adoptTimer);
    attempt('apply', () => reader.close());
    tell({ kind: 'closed' });
    port.close();
    setImmediate(() => process.exit());
  }

  port.on('message', (message: ToApplyingThread) => {
    if (message.kind === 'close') close();
    else {
      unansweredApplies += 1;
      apply();
    }
  });
  adopt();
  apply();
}

if (parentPort !== null) await runApplyingThread(parentPort, workerData as ApplyingThreadStart);
