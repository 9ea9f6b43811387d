import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { JournalFiles } from './journal-files.ts';

/** A directory of journal segments that nobody else touches until it is released or this process ends. */
export interface JournalDirectory {
  readonly path: string;
  /** Gives up the directory but leaves what is in it for others to adopt. */
  release(): void;
  /** Deletes the directory with everything in it. */
  remove(): void;
}

export interface ClaimedDirectories {
  readonly own: JournalDirectory;
  /** Left behind by processes that no longer live. */
  readonly orphans: readonly JournalDirectory[];
}

const claimWaitMs = 10_000;

/**
 * Every process writes into a directory of its own, so several may serve from one data directory. Whoever
 * starts adopts the directories whose owners are dead. Throws when the disk does not let it.
 */
export function claimJournalDirectories(root: string, files: JournalFiles): ClaimedDirectories {
  files.makeDirectory(root);
  const door = lock(join(root, 'claim.lock'), claimWaitMs);
  if (door === undefined) throw new Error('another process has been claiming journals for too long');
  try {
    const path = join(root, randomUUID());
    const orphans = listDirectories(root).flatMap((orphan) => claim(orphan, files) ?? []);
    files.makeDirectory(path);
    const own = claim(path, files);
    if (own === undefined) throw new Error(`the new journal ${path} belongs to somebody else`);
    return { own, orphans };
  } finally {
    door.close();
  }
}

/** For a thread that takes over from one that failed in the same process. */
export function reclaimJournalDirectory(path: string, files: JournalFiles): JournalDirectory {
  const directory = claim(path, files);
  if (directory === undefined) throw new Error(`the journal ${path} is still in use`);
  return directory;
}

function claim(path: string, files: JournalFiles): JournalDirectory | undefined {
  const held = lock(join(path, 'owner.lock'), 0);
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

const sqliteBusy = 5;

/**
 * SQLite's own file lock on an empty database: the system frees it however the process ends, and no stale
 * process id can be mistaken for a living owner.
 */
export function lock(path: string, waitMs: number): DatabaseSync | undefined {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (cause) {
    // Its owner was just deleting the directory.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
  const held = new DatabaseSync(path, { timeout: waitMs });
  try {
    held.exec('BEGIN EXCLUSIVE');
    return held;
  } catch (cause) {
    held.close();
    const isTaken = cause instanceof Error && 'errcode' in cause && Number(cause.errcode) === sqliteBusy;
    if (isTaken) return undefined;
    throw cause;
  }
}
