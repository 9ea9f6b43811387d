import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { systemClock } from '#vocabulary/clock';
import { diskFiles } from './journal-files.ts';
import { lendPen, takePenBack } from './journal-pen.ts';
import { createJournalWriter } from './journal-writer.ts';
import type { FromWritingThread, ToWritingThread, WritingThreadStart } from './thread-messages.ts';

const retryMs = 250;
/** What was written in this time goes to the disk with one sync. */
const syncDelayMs = 100;
/** Also when nothing is written: has anybody taken the journal away? */
const lookMs = 1_000;

/**
 * The thread that waits for the disk so that the event loop of the server never does. It does nothing else: neither
 * a sync nor the database nor an old journal holds up the next write. While it has nothing to do itself, the event
 * loop writes with its pen.
 */
function runWritingThread(port: MessagePort, { directory, durability, pen }: WritingThreadStart): void {
  const writer = createJournalWriter({ directory, files: diskFiles, clock: systemClock });
  let waitingBatch: string | undefined;
  let isAppended = false;
  let retryTimer: NodeJS.Timeout | undefined;
  let syncTimer: NodeJS.Timeout | undefined;
  let syncDueMs = Infinity;
  let isSyncing = false;
  let isOpen = false;
  let isClosing = false;

  const tell = (message: FromWritingThread) => port.postMessage(message);
  const gatherMs = durability === 'written' ? syncDelayMs : 0;

  function takePen(): void {
    const { bytes, isSpoilt } = takePenBack(pen);
    if (bytes !== undefined) writer.adopt(bytes);
    if (isSpoilt) writer.spoil();
  }

  /** Where answers wait for the sync, nobody but this thread can tell when they may leave. */
  function lend(): void {
    const isIdle =
      isOpen && !isSyncing && !isClosing && retryTimer === undefined && waitingBatch === undefined;
    const number = writer.activeNumber;
    if (durability === 'written' && isIdle && number !== undefined) lendPen(pen, number);
  }

  function write(): void {
    clearTimeout(retryTimer);
    retryTimer = undefined;
    takePen();
    try {
      writer.append(isAppended ? '' : (waitingBatch ?? ''));
    } catch (cause) {
      failed(cause);
      return;
    }
    isAppended = waitingBatch !== undefined;
    if (durability === 'written') answer();
    syncSoon(gatherMs);
    lend();
  }

  function failed(cause: unknown): void {
    isOpen = false;
    tell({ kind: 'failing', reason: cause instanceof Error ? cause.message : String(cause) });
    retryTimer ??= setTimeout(write, retryMs);
  }

  function answer(): void {
    if (!isAppended) return;
    waitingBatch = undefined;
    isAppended = false;
    tell({ kind: 'written' });
  }

  function syncSoon(delayMs: number): void {
    const dueMs = systemClock.monotonicMs() + delayMs;
    if (isSyncing || retryTimer !== undefined || syncDueMs <= dueMs) return;
    clearTimeout(syncTimer);
    syncDueMs = dueMs;
    syncTimer = setTimeout(sync, delayMs);
  }

  function sync(): void {
    clearTimeout(syncTimer);
    syncDueMs = Infinity;
    takePen();
    isSyncing = true;
    const hasBatch = isAppended;
    writer.confirm((failure) => {
      isSyncing = false;
      if (failure !== undefined) failed(failure);
      else {
        if (!isOpen && retryTimer === undefined) {
          isOpen = true;
          tell({ kind: 'open' });
        }
        if (hasBatch) answer();
      }
      if (isClosing) close();
      else {
        syncSoon(writer.unconfirmedEntries > 0 ? gatherMs : lookMs);
        lend();
      }
    });
  }

  /** A journal that cannot be written at the end is not waited for: the server counts what it did not hear of. */
  function close(): void {
    isClosing = true;
    takePen();
    if (isSyncing) return;
    if (writer.unconfirmedEntries > 0 && retryTimer === undefined) {
      sync();
      return;
    }
    tell({ kind: 'closed', unconfirmedEntries: writer.unconfirmedEntries });
    writer.close();
    port.close();
    // A retry of something that cannot succeed must not keep the thread alive.
    setImmediate(() => process.exit());
  }

  port.on('message', (message: ToWritingThread) => {
    if (message.kind === 'close') close();
    else if (message.kind === 'pen-used') syncSoon(gatherMs);
    else {
      waitingBatch = message.entries;
      isAppended = false;
      write();
    }
  });
  sync();
}

if (parentPort !== null) runWritingThread(parentPort, workerData as WritingThreadStart);
