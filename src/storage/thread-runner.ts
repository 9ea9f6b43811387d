import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DatabaseThreadStart, FromDatabaseThread, ToDatabaseThread } from './database-thread.ts';
import type { QueryOutcome, QueryRunner } from './query-runner.ts';

/**
 * Queries in a thread of their own: neither a slow search nor a checkpoint holds up a stream. The thread keeps
 * the process alive only while somebody waits for it; one that dies fails what it was asked and is replaced.
 */
export function openThreadRunner(start: DatabaseThreadStart): QueryRunner {
  const waiting: PromiseWithResolvers<QueryOutcome>[] = [];
  let worker: Worker | undefined;
  let isClosed = false;

  function launch(): Worker {
    const launched = new Worker(new URL('./database-thread.ts', import.meta.url), {
      workerData: start,
      name: start.may === 'write' ? 'gatehouse-database' : 'gatehouse-reader',
      execArgv: [],
    });
    let failure: unknown;
    launched.on('message', answered);
    launched.on('error', (cause) => {
      failure = cause;
    });
    launched.on('exit', () => {
      worker = undefined;
      for (const { reject } of waiting.splice(0)) {
        reject(new Error('the database thread ended', { cause: failure }));
      }
    });
    return launched;
  }

  function answered(message: FromDatabaseThread): void {
    const asked = waiting.shift();
    if (waiting.length === 0) worker?.unref();
    if ('outcome' in message) asked?.resolve(message.outcome);
    else asked?.reject(new DatabaseFailure(message.failure.message, message.failure.errorCode));
  }

  function post(thread: Worker, message: ToDatabaseThread): void {
    thread.postMessage(message, []);
  }

  return {
    run(query) {
      if (isClosed) return Promise.reject(new Error('the database is closed'));
      worker ??= launch();
      const asked = Promise.withResolvers<QueryOutcome>();
      waiting.push(asked);
      worker.ref();
      post(worker, query);
      return asked.promise;
    },
    async close() {
      isClosed = true;
      if (worker === undefined) return;
      const exited = once(worker, 'exit');
      worker.ref();
      post(worker, 'close');
      await exited;
    },
  };
}

/** What `node:sqlite` would have thrown, after its journey between threads. */
class DatabaseFailure extends Error {
  readonly errcode: number | undefined;

  constructor(message: string, errorCode: number | undefined) {
    super(message);
    this.name = 'DatabaseFailure';
    this.errcode = errorCode;
  }
}
