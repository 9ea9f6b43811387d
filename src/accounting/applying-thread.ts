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
  let isClosing = false;
  let lastAttempt: Promise<unknown> = Promise.resolve();

  const tell = (message: FromApplyingThread) => port.postMessage(message);

  /**
   * One task after the other, because they share a connection. Tells of the first failure of a task and of its
   * recovery, not of every attempt in between.
   */
  function attempt<Done>(
    task: ApplyingTask,
    work: () => Promise<Done>,
  ): Promise<{ readonly done: Done } | undefined> {
    const attempted = lastAttempt.then(async () => {
      try {
        const done = await work();
        if (failing.delete(task)) tell({ kind: 'recovered', task });
        return { done };
      } catch (cause) {
        if (!failing.has(task)) {
          failing.add(task);
          tell({ kind: 'failing', task, reason: cause instanceof Error ? cause.message : String(cause) });
        }
        return undefined;
      }
    });
    lastAttempt = attempted;
    return attempted;
  }

  /** One piece per turn, so that the own journal and those of the dead advance side by side. */
  async function apply(): Promise<void> {
    clearTimeout(applyTimer);
    const outcome = await attempt('apply', async () => {
      const asked = unansweredApplies;
      return { asked, hasMore: await reader.applyNext() };
    });
    if (isClosing) return;
    if (reader.unappliedBytes !== lastUnappliedBytes) {
      lastUnappliedBytes = reader.unappliedBytes;
      tell({ kind: 'standing', unappliedBytes: lastUnappliedBytes });
    }
    clearTimeout(applyTimer);
    const { asked, hasMore } = outcome?.done ?? { asked: 0, hasMore: false };
    applyTimer = setTimeout(() => void apply(), outcome === undefined ? retryMs : hasMore ? 0 : applyEveryMs);
    if (hasMore || isReplaying || asked === 0) return;
    tell({ kind: 'applied', answers: asked });
    unansweredApplies -= asked;
  }

  async function adopt(): Promise<void> {
    const outcome = await attempt('adopt', async () => reader.adopt());
    if (isClosing) return;
    isReplaying ||= outcome !== undefined;
    if (outcome === undefined) adoptTimer = setTimeout(() => void adopt(), retryMs);
    else await replay();
  }

  async function replay(): Promise<void> {
    const outcome = await attempt('adopt', () => reader.replayNext());
    if (isClosing) return;
    const report = outcome?.done;
    if (typeof report === 'object') tell({ kind: 'adopted', ...report });
    if (outcome === undefined) adoptTimer = setTimeout(() => void replay(), retryMs);
    else if (report !== undefined) adoptTimer = setTimeout(() => void replay(), 0);
    else {
      isReplaying = false;
      adoptTimer = setTimeout(() => void adopt(), adoptEveryMs);
    }
  }

  async function close(): Promise<void> {
    isClosing = true;
    clearTimeout(applyTimer);
    clearTimeout(adoptTimer);
    await attempt('apply', () => reader.close());
    tell({ kind: 'closed' });
    port.close();
    setImmediate(() => process.exit());
  }

  port.on('message', (message: ToApplyingThread) => {
    if (message.kind === 'close') void close();
    else {
      unansweredApplies += 1;
      void apply();
    }
  });
  void adopt();
  void apply();
}

if (parentPort !== null) await runApplyingThread(parentPort, workerData as ApplyingThreadStart);
