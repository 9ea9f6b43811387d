import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from '#vocabulary/logger';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { migrate } from './migrate.ts';

/** Only for the start, when nobody is served yet and sleeping on a lock harms nobody. */
const startBusyMs = 15_000;

/** Opens the one database file of a data directory, readable by its owner alone, with its schema up to date. */
export function openDatabase(dataDir: string, logger: Logger): DatabaseSync {
  try {
    return open(dataDir, logger);
  } catch (cause) {
    if (cause instanceof OperatorProblem) throw cause;
    throw new OperatorProblem(explain(dataDir, cause), cause);
  }
}

export function databasePath(dataDir: string): string {
  return join(dataDir, 'gatehouse.db');
}

function open(dataDir: string, logger: Logger): DatabaseSync {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  const path = databasePath(dataDir);
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path, { timeout: startBusyMs, enableForeignKeyConstraints: true });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = NORMAL');
    migrate(database, logger);
    // From here on the dialect waits for locks, and the journal's thread does most checkpoints.
    database.exec('PRAGMA busy_timeout = 0');
    database.exec('PRAGMA wal_autocheckpoint = 4000');
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

const sqliteMeanings: Readonly<Record<number, string>> = {
  5: 'Another process has held the database locked for too long; stop it and start again.',
  8: 'The database file is read-only; give the user that runs Gatehouse write access to it.',
  10: 'The disk reported an input or output error; check it and its free space.',
  11: 'The database file is damaged; restore it from a backup.',
  13: 'The disk is full; free some space and start again.',
  14: 'The database file cannot be opened; give the user that runs Gatehouse write access to the directory.',
  26: 'The file is not a Gatehouse database; move it away or choose another directory.',
};

const systemMeanings: Readonly<Record<string, string>> = {
  EACCES: 'The user that runs Gatehouse may not write there; change the owner or choose another directory.',
  EPERM: 'The directory belongs to another user; change its owner or choose another directory.',
  EROFS: 'The file system is read-only; choose a directory that can be written.',
  ENOSPC: 'The disk is full; free some space and start again.',
  EDQUOT: 'The disk quota is used up; free some space and start again.',
  ENOTDIR: 'A part of that path is a file; choose another directory.',
  EEXIST: 'That path is a file; choose another directory.',
};

function explain(dataDir: string, cause: unknown): string {
  const opening = `The data directory ${dataDir} cannot be used (GATEHOUSE_DATA_DIR). `;
  if (!(cause instanceof Error)) return opening + String(cause);
  if ('errcode' in cause) {
    const meaning = sqliteMeanings[Number(cause.errcode) & 0xff];
    if (meaning !== undefined) return opening + meaning;
  }
  if ('code' in cause && typeof cause.code === 'string') {
    const meaning = systemMeanings[cause.code];
    if (meaning !== undefined) return opening + meaning;
  }
  return opening + cause.message;
}
