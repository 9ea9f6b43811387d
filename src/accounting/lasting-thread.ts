import { Worker } from 'node:worker_threads';
import type { Logger } from '#vocabulary/logger';

/** A thread that is replaced when it dies. It keeps the process alive only while somebody waits for it. */
export interface LastingThread<To> {
  post(message: To): void;
  /** Whether somebody waits for this thread. */
  hold(isAwaited: boolean): void;
  /** Posts the last message and resolves when the thread has ended. */
  end(message: To): Promise<void>;
}

export interface LastingThreadParts<From> {
  readonly module: URL;
  readonly name: string;
  readonly workerData: unknown;
  readonly logger: Logger;
  readonly heard: (message: From) => void;
  /** It has died; another one comes soon. */
  readonly died: () => void;
  /** The new one is there and knows nothing of what was posted before. */
  readonly restarted: () => void;
}

const restartMs = 1_000;

export function startLastingThread<To, From>(parts: LastingThreadParts<From>): LastingThread<To> {
  const ended = Promise.withResolvers<void>();
  let isEnding = false;
  let isAwaited = false;
  let worker = launch();

  function launch(): Worker {
    const launched = new Worker(parts.module, {
      workerData: parts.workerData,
      name: parts.name,
      execArgv: [],
    });
    let failure: unknown;
    launched.on('message', parts.heard);
    launched.on('error', (cause) => {
      failure = cause;
    });
    launched.on('exit', () => exited(failure));
    if (!isAwaited) launched.unref();
    return launched;
  }

  function exited(failure: unknown): void {
    if (isEnding) {
      ended.resolve();
      return;
    }
    parts.logger.error({ error: failure, thread: parts.name }, 'a thread failed and is started again');
    parts.died();
    const timer = setTimeout(() => {
      if (isEnding) return;
      worker = launch();
      parts.restarted();
    }, restartMs);
    if (!isAwaited) timer.unref();
  }

  return {
    post: (message) => worker.postMessage(message, []),
    hold(needed) {
      if (needed === isAwaited) return;
      isAwaited = needed;
      if (needed) worker.ref();
      else worker.unref();
    },
    end(message) {
      isEnding = true;
      worker.ref();
      worker.postMessage(message, []);
      return ended.promise;
    },
  };
}
