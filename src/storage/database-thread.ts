import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { addPieceTriggers, connect, connectForReading } from './sqlite-connection.ts';
import { createStatementRunner, type Query, type QueryOutcome } from './query-runner.ts';

export interface DatabaseThreadStart {
  readonly path: string;
  readonly may: 'write' | 'only-read';
}

/** Queries are answered in the order in which they come. */
export type ToDatabaseThread = Query | 'close';

export type FromDatabaseThread =
  | { readonly outcome: QueryOutcome }
  | { readonly failure: { readonly message: string; readonly errorCode: number | undefined } };

const busyWaitMs = 10_000;

/** The thread that waits for the database so that the event loop of the server never does. */
function runDatabaseThread(port: MessagePort, { path, may }: DatabaseThreadStart): void {
  const database = may === 'write' ? connect(path, busyWaitMs) : connectForReading(path);
  if (may === 'write') addPieceTriggers(database);
  const execute = createStatementRunner(database);

  function answer(query: Query): FromDatabaseThread {
    try {
      return { outcome: execute(query) };
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      const hasCode = cause instanceof Error && 'errcode' in cause;
      return { failure: { message, errorCode: hasCode ? Number(cause.errcode) : undefined } };
    }
  }

  port.on('message', (message: ToDatabaseThread) => {
    if (message !== 'close') {
      port.postMessage(answer(message));
      return;
    }
    database.close();
    port.close();
  });
}

if (parentPort !== null) runDatabaseThread(parentPort, workerData as DatabaseThreadStart);
