import { setTimeout as pause } from 'node:timers/promises';
import { addPieceTriggers, connect } from './sqlite-connection.ts';
import { createStatementRunner, type QueryRunner } from './query-runner.ts';

const busyRetryMs = 5;
const busyGiveUpMs = 10_000;

/**
 * Queries in this thread: for short-lived programs, where a thread would cost more than it saves. Waits for
 * another writer without sleeping, outside of transactions; inside of one nobody else can write.
 */
export function openLocalRunner(path: string): QueryRunner {
  const database = connect(path, 0);
  addPieceTriggers(database);
  const execute = createStatementRunner(database);
  return {
    async run(query) {
      const giveUpAt = performance.now() + busyGiveUpMs;
      for (;;) {
        try {
          return execute(query);
        } catch (cause) {
          if (!isBusy(cause) || database.isTransaction || performance.now() > giveUpAt) throw cause;
          await pause(busyRetryMs);
        }
      }
    },
    async close() {
      if (database.isOpen) database.close();
    },
  };
}

const sqliteBusy = 5;

function isBusy(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('errcode' in cause)) return false;
  return (Number(cause.errcode) & 0xff) === sqliteBusy;
}
