import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * SQLite's own file lock on an empty database: the system frees it however the process ends, and no stale process
 * id can be mistaken for a living owner. Undefined when somebody else holds it, or its directory is gone.
 */
export function lockFile(path: string, waitMs: number): DatabaseSync | undefined {
  let held: DatabaseSync | undefined;
  try {
    held = new DatabaseSync(path, { timeout: waitMs });
    held.exec('BEGIN EXCLUSIVE');
    return held;
  } catch (cause) {
    held?.close();
    const code = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : undefined;
    if (code === sqliteBusy || (code === sqliteCannotOpen && !existsSync(path))) return undefined;
    throw cause;
  }
}

const sqliteBusy = 5;
const sqliteCannotOpen = 14;
