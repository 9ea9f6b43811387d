import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OperatorProblem } from '#vocabulary/operator-problem';

/**
 * One pull of a file at a time, across processes. The lock is the operating system's, taken through SQLite, so
 * it goes with the process that held it, however that ended; the empty lock file stays.
 */
export function lockPull(directory: string, name: string): Disposable {
  const locks = join(directory, '.locks');
  mkdirSync(locks, { recursive: true });
  const database = new DatabaseSync(join(locks, `${name}.lock`), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw new OperatorProblem(
      `${name} is being pulled already. Wait for that pull, or stop it first.`,
      error,
    );
  }
  return { [Symbol.dispose]: () => database.close() };
}
