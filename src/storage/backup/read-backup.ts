import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { readSchemaStanding } from '../migrate.ts';
import { type BackupNotes, readNotes } from './backup-notes.ts';

export interface BackupContents extends BackupNotes {
  readonly path: string;
  readonly bytes: number;
  readonly people: number;
  readonly keys: number;
  readonly chats: number;
  readonly usageRecords: number;
}

/** Checks every page and the version. Throws an `OperatorProblem` when this is nothing to restore from. */
export function readBackup(path: string): BackupContents {
  if (!existsSync(path)) throw new OperatorProblem(`There is no file ${path}.`);
  const database = open(path);
  try {
    refuseDamaged(database, path);
    const notes = readNotes(database);
    if (notes === undefined) throw notABackup(path);
    refuseNewer(database, notes);
    const count = (table: string) =>
      Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']);
    return {
      ...notes,
      path,
      bytes: statSync(path).size,
      people: count('people'),
      keys: count('api_keys'),
      chats: count('chats'),
      usageRecords: count('usage_records'),
    };
  } catch (cause) {
    if (cause instanceof OperatorProblem) throw cause;
    throw damaged(path, cause instanceof Error ? cause.message : String(cause), cause);
  } finally {
    database.close();
  }
}

function open(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true });
  } catch (cause) {
    throw new OperatorProblem(
      `${path} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}.`,
      cause,
    );
  }
}

const notADatabase = 26;

function refuseDamaged(database: DatabaseSync, path: string): void {
  let rows: unknown[];
  try {
    rows = database
      .prepare('PRAGMA integrity_check(3)')
      .all()
      .map((row) => row['integrity_check']);
  } catch (cause) {
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === notADatabase)
      throw notABackup(path);
    throw cause;
  }
  if (rows.length !== 1 || rows[0] !== 'ok') throw damaged(path, String(rows[0]));
  if (database.prepare('PRAGMA foreign_key_check').get() !== undefined)
    throw damaged(path, 'a row points to one that is not there');
}

function refuseNewer(database: DatabaseSync, notes: BackupNotes): void {
  const { unknown } = readSchemaStanding(database);
  if (unknown.length > 0)
    throw new OperatorProblem(
      `The backup was made by a newer version of Gatehouse (${notes.version}, schema step ${Math.max(...unknown)}). Restore it with that version.`,
    );
}

function notABackup(path: string): OperatorProblem {
  return new OperatorProblem(`${path} is not a backup made by "gatehouse backup".`);
}

function damaged(path: string, detail: string, cause?: unknown): OperatorProblem {
  return new OperatorProblem(`The backup ${path} is damaged (${detail}). Use another one.`, cause);
}
