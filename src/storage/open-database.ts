import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, linkSync, openSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '#vocabulary/logger';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { migrate } from './migrate.ts';
import { connect, openingBusyMs } from './sqlite-connection.ts';
import { newSecret, writeServiceName } from './service-identity.ts';
import { makePrivateFolder } from '#vocabulary/private-folder';

interface PreparedDatabase {
  readonly path: string;
  readonly secret: string;
}

/**
 * Makes the one database file of a data directory ready: readable by its owner alone, its schema up to date.
 * Gives its path and the secret of the service. Throws an `OperatorProblem` when that cannot be done.
 */
export function prepareDatabase(dataDir: string, logger: Logger): PreparedDatabase {
  try {
    return prepare(dataDir, logger);
  } catch (cause) {
    if (cause instanceof OperatorProblem) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw dataFolderProblem(dataDir, cause) ?? unusable(dataDir, reason, cause);
  }
}

/** A disk that is full, read-only, damaged or not ours, in words; undefined for anything else. */
export function dataFolderProblem(dataDir: string, cause: unknown): OperatorProblem | undefined {
  if (!(cause instanceof Error)) return undefined;
  const meaning =
    ('errcode' in cause ? sqliteMeanings[Number(cause.errcode) & 0xff] : undefined) ??
    ('code' in cause ? systemMeanings[String(cause.code)] : undefined);
  return meaning === undefined ? undefined : unusable(dataDir, meaning, cause);
}

function unusable(dataDir: string, reason: string, cause: unknown): OperatorProblem {
  return new OperatorProblem(
    `The data directory ${dataDir} cannot be used (GATEHOUSE_DATA_DIR). ${reason}`,
    cause,
  );
}

function prepare(dataDir: string, logger: Logger): PreparedDatabase {
  makePrivateFolder(dataDir);
  chmodSync(dataDir, 0o700);
  const path = join(dataDir, 'gatehouse.db');
  if (!existsSync(path)) {
    refuseLostDatabase(dataDir, path);
    begin(path);
  }
  if (statSync(path).size === 0)
    throw new OperatorProblem(
      `The database ${path} is empty: something has cut it off. Restore a backup (gatehouse restore), or remove the file to begin anew.`,
    );
  chmodSync(path, 0o600);
  const database = connect(path, openingBusyMs);
  try {
    migrate(database, logger);
    const { id, secret } = ensureService(database);
    writeServiceName(dataDir, id);
    return { path, secret };
  } finally {
    database.close();
  }
}

/** The file is the service: whatever stood beside it before, a restored one brings its own name. */
function ensureService(database: DatabaseSync): { id: string; secret: string } {
  const fresh = { id: randomUUID(), secret: newSecret() };
  database
    .prepare('INSERT INTO service (place, id, secret) VALUES (1, ?, ?) ON CONFLICT DO NOTHING')
    .run(fresh.id, fresh.secret);
  database.prepare("UPDATE service SET secret = ? WHERE secret = ''").run(fresh.secret);
  const row = database.prepare('SELECT id, secret FROM service').get();
  return { id: String(row?.['id']), secret: String(row?.['secret']) };
}

/** A journal without a database is no new beginning. */
function refuseLostDatabase(dataDir: string, path: string): void {
  const traces = [join(dataDir, 'journal', 'claim.lock'), `${path}-wal`].filter((trace) => existsSync(trace));
  if (traces.length === 0) return;
  throw new OperatorProblem(
    `The database ${path} is gone, but there was one: ${traces.join(' and ')} is still there. Put it back, restore a backup (gatehouse restore), or remove that too to begin anew.`,
  );
}

/** The file gets its name when it is a database, so that an empty one under that name is always a mistake. */
function begin(path: string): void {
  const fresh = `${path}.${process.pid}.new`;
  closeSync(openSync(fresh, 'w', 0o600));
  connect(fresh, 0).close();
  try {
    linkSync(fresh, path);
  } catch (cause) {
    // Another process was faster.
    if (!existsSync(path)) throw cause;
  } finally {
    unlinkSync(fresh);
  }
}

const sqliteMeanings: Readonly<Record<number, string>> = {
  5: 'Another process has held the database locked for too long; stop it and try again.',
  8: 'The database file is read-only; give the user that runs Gatehouse write access to it.',
  10: 'The disk reported an input or output error; check it and its free space.',
  11: 'The database file is damaged; restore a backup: gatehouse restore BACKUP --replace.',
  13: 'The disk is full; free some space and try again.',
  14: 'The database file cannot be opened; give the user that runs Gatehouse write access to the directory.',
  26: 'The file is not a Gatehouse database; move it away or choose another directory.',
};

const systemMeanings: Readonly<Record<string, string>> = {
  EACCES: 'The user that runs Gatehouse may not write there; change the owner or choose another directory.',
  EPERM: 'The directory belongs to another user; change its owner or choose another directory.',
  EROFS: 'The file system is read-only; choose a directory that can be written.',
  ENOSPC: 'The disk is full; free some space and try again.',
  EDQUOT: 'The disk quota is used up; free some space and try again.',
  ENOTDIR: 'A part of that path is a file; choose another directory.',
  EEXIST: 'That path is a file; choose another directory.',
};
