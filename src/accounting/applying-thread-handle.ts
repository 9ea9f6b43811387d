import type { Logger } from '#vocabulary/logger';
import { startLastingThread } from './lasting-thread.ts';
import type {
  ApplyingTask,
  ApplyingThreadStart,
  FromApplyingThread,
  ToApplyingThread,
} from './thread-messages.ts';

/** The thread that brings journals into the database as the rest of the room sees it. */
export interface ApplyingThreadHandle {
  readonly isFailing: boolean;
  readonly unappliedBytes: number;
  /** Resolves when the database holds everything written so far. */
  apply(): Promise<void>;
  close(): Promise<void>;
}

export function startApplyingThread({
  start,
  logger,
}: {
  readonly start: ApplyingThreadStart;
  readonly logger: Logger;
}): ApplyingThreadHandle {
  const failing = new Set<ApplyingTask | 'thread'>();
  let waiters: (() => void)[] = [];
  let unappliedBytes = 0;

  const thread = startLastingThread<ToApplyingThread, FromApplyingThread>({
    module: new URL('./applying-thread.ts', import.meta.url),
    name: 'gatehouse-books',
    workerData: start,
    logger,
    heard,
    died: () => failing.add('thread'),
    restarted() {
      failing.clear();
      for (let waiting = waiters.length; waiting > 0; waiting -= 1) thread.post({ kind: 'apply' });
    },
  });

  function heard(message: FromApplyingThread): void {
    switch (message.kind) {
      case 'adopted':
        reportAdoption(message);
        break;
      case 'standing':
        ({ unappliedBytes } = message);
        break;
      case 'applied':
        for (const resolve of waiters.splice(0, message.answers)) resolve();
        thread.hold(waiters.length > 0);
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
        break;
    }
  }

  function reportAdoption({
    interruptedRequests,
    damagedLines,
  }: Extract<FromApplyingThread, { kind: 'adopted' }>): void {
    logger.info({ interruptedRequests }, 'usage of a process that did not end well is now on the books');
    if (damagedLines > 0)
      logger.warn({ damagedLines }, 'some lines of its journal were damaged and left out');
  }

  return {
    get isFailing() {
      return failing.size > 0;
    },
    get unappliedBytes() {
      return unappliedBytes;
    },
    apply() {
      return new Promise((resolve) => {
        waiters.push(resolve);
        thread.post({ kind: 'apply' });
        thread.hold(true);
      });
    },
    close: () => thread.end({ kind: 'close' }),
  };
}

const failureSentences: Readonly<Record<ApplyingTask, string>> = {
  apply: 'usage cannot be brought into the database; it is safe in the journal until then',
  adopt: 'the journal of a dead process cannot be brought into the database; trying again',
};

const recoverySentences: Readonly<Record<ApplyingTask, string>> = {
  apply: 'usage is brought into the database again',
  adopt: 'the journal of a dead process could be read now',
};
