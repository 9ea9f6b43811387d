import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { managedFileName } from '#vocabulary/catalogue-desk';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { removeNotes } from './backup-notes.ts';
import { type BackupContents, readBackup } from './read-backup.ts';
import { makePrivateFolder } from '#vocabulary/private-folder';

export interface RestoreParts {
  readonly file: string;
  /** Nobody may serve from it; the caller has looked. */
  readonly dataDir: string;
  /** What is there now is moved aside, not deleted. */
  readonly mayReplace: boolean;
}

export interface Restored {
  readonly contents: BackupContents;
  /** Where the former database and journal went. */
  readonly movedTo: string | undefined;
}

/** Nothing is deleted: interrupted at any moment, the old database and the backup are both still there. */
export function restoreBackup({ file, dataDir, mayReplace }: RestoreParts): Restored {
  readBackup(file);
  const target = join(dataDir, 'gatehouse.db');
  if (existsSync(target) && !mayReplace)
    throw new OperatorProblem(
      `${dataDir} already holds a database. Choose another data folder, or add --replace to move the old one aside.`,
    );
  makePrivateFolder(dataDir);
  chmodSync(dataDir, 0o700);
  const incoming = join(dataDir, 'gatehouse.db.restoring');
  rmSync(incoming, { force: true });
  copyFileSync(file, incoming);
  chmodSync(incoming, 0o600);
  // Checked again where it is now: what is counted is what will be served.
  const contents = readBackup(incoming);
  removeNotes(incoming);
  giveToOwner(incoming, dataDir);
  sync(incoming);
  const movedTo = moveAside(dataDir);
  if (contents.managedText !== undefined) {
    const managed = join(dataDir, managedFileName);
    writeFileSync(managed, contents.managedText, { mode: 0o600, flag: 'wx' });
    giveToOwner(managed, dataDir);
    sync(managed);
  }
  renameSync(incoming, target);
  sync(dataDir);
  return { contents, movedTo };
}

/** The journal too: its entries belong to the old books. So do engines and models made beside the settings file. */
const belongingTogether = [
  'gatehouse.db',
  'gatehouse.db-wal',
  'gatehouse.db-shm',
  'journal',
  managedFileName,
];

function moveAside(dataDir: string): string | undefined {
  const present = belongingTogether.filter((name) => existsSync(join(dataDir, name)));
  if (present.length === 0) return undefined;
  const aside = join(dataDir, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  mkdirSync(aside, { mode: 0o700 });
  giveToOwner(aside, dataDir);
  for (const name of present) renameSync(join(dataDir, name), join(aside, name));
  return aside;
}

/** Restored by root, the files still belong to the user that runs the service. */
function giveToOwner(path: string, dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  chownSync(path, uid, gid);
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
