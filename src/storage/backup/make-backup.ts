import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { managedFileName } from '#vocabulary/catalogue-desk';
import { OperatorProblem } from '#vocabulary/operator-problem';
import type { UsageApplier } from '#vocabulary/stores';
import { openUsageApplier } from '../usage-applier.ts';
import { noteInBackup } from './backup-notes.ts';
import { type BackupContents, readBackup } from './read-backup.ts';

export interface BackupParts {
  readonly dataDir: string;
  /** A private directory beside the target, on the same file system. */
  readonly scratch: string;
  readonly target: string;
  readonly version: string;
  readonly settings: { readonly path: string; readonly text: string } | undefined;
  /** Called with the copied books, to bring in what the journal still holds. */
  readonly addUsage: (applier: UsageApplier) => Promise<void>;
}

/** More pages than any database has: the whole copy is one step, which a writer cannot make begin again. */
const allPages = 2_147_483_647;

/**
 * One file that holds everything: the database as it stood at one moment, the usage that was on its way there,
 * the settings file, and the engines and models made beside it. It is itself a database and can be looked into with any SQLite tool. The target
 * appears when it is complete and checked, or not at all.
 */
export async function makeBackup(parts: BackupParts): Promise<BackupContents> {
  const source = join(parts.dataDir, 'gatehouse.db');
  if (!existsSync(source))
    throw new OperatorProblem(
      `There is no database in ${parts.dataDir}. Name the right settings with --settings, or set GATEHOUSE_DATA_DIR.`,
    );
  const copy = join(parts.scratch, 'gatehouse.db');
  await copyPages(source, copy);
  const applier = openUsageApplier(copy);
  try {
    await parts.addUsage(applier);
  } finally {
    await applier.close();
  }
  const managed = join(parts.dataDir, managedFileName);
  noteInBackup(copy, {
    madeAt: new Date().toISOString(),
    version: parts.version,
    settingsPath: parts.settings?.path,
    settingsText: parts.settings?.text,
    managedText: existsSync(managed) ? readFileSync(managed, 'utf8') : undefined,
  });
  const contents = readBackup(copy);
  syncToDisk(copy);
  renameSync(copy, parts.target);
  syncToDisk(dirname(parts.target));
  return contents;
}

async function copyPages(source: string, copy: string): Promise<void> {
  closeSync(openSync(copy, 'wx', 0o600));
  chmodSync(copy, 0o600);
  const from = new DatabaseSync(source, { readOnly: true, timeout: 15_000 });
  try {
    await backup(from, copy, { rate: allPages });
  } finally {
    from.close();
  }
  const standalone = new DatabaseSync(copy);
  try {
    // Without a write-ahead log beside it the file is whole by itself.
    standalone.exec('PRAGMA journal_mode = DELETE');
  } finally {
    standalone.close();
  }
}

function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
