import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '#vocabulary/file-lock';
import type { JournalFiles } from './journal-files.ts';

/** A directory of journal segments that nobody else touches until it is released or this process ends. */
export interface JournalDirectory {
  readonly path: string;
  /** Gives up the directory but leaves what is in it for others to adopt. */
  release(): void;
  /** Deletes the directory with everything in it. */
  remove(): void;
}

const claimWaitMs = 10_000;

/**
 * Every process writes into a directory of its own, so several may serve from one data directory. The lock belongs
 * to the process and not to one of its threads: a thread that dies must not look like a dead process. Throws when
 * the disk does not let it.
 */
export function claimOwnJournal(root: string, files: JournalFiles): JournalDirectory {
  files.makeDirectory(root);
  return atTheDoor(root, () => {
    const path = join(root, randomUUID());
    files.makeDirectory(path);
    const own = claim(path, files);
    if (own === undefined) throw new Error(`the new journal ${path} belongs to somebody else`);
    return own;
  });
}

/** The directories whose owners are dead. `ownPath` is never touched: a second lock would break the first. */
export function adoptOrphans(root: string, ownPath: string, files: JournalFiles): JournalDirectory[] {
  const others = listDirectories(root).filter((path) => path !== ownPath);
  if (others.length === 0) return [];
  return atTheDoor(root, () => others.flatMap((path) => claim(path, files) ?? []));
}

function atTheDoor<Result>(root: string, work: () => Result): Result {
  const door = lockFile(join(root, 'claim.lock'), claimWaitMs);
  if (door === undefined) throw new Error('another process has been claiming journals for too long');
  try {
    return work();
  } finally {
    door.close();
  }
}

function claim(path: string, files: JournalFiles): JournalDirectory | undefined {
  const held = lockFile(join(path, 'owner.lock'), 0);
  if (held === undefined) return undefined;
  return {
    path,
    release: () => held.close(),
    remove() {
      try {
        files.removeDirectory(path);
      } finally {
        held.close();
      }
    },
  };
}

function listDirectories(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(root, entry.name));
}
