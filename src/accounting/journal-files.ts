import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsync,
  open,
  close,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '#vocabulary/private-folder';

/** What the journal asks of a file system, so that a test can take the disk away. Every call may throw. */
export interface JournalFiles {
  /** The segments in `directory`, oldest first, as full paths. */
  listSegments(directory: string): readonly string[];
  create(path: string): number;
  openForReading(path: string): number;
  /** Never makes a file. */
  openForAppending(path: string): number;
  sizeOf(path: string): number;
  /** What a path stands for: it changes when something else is put in its place. Undefined: nothing is there. */
  identityOf(path: string): string | undefined;
  identityOfOpen(file: number): string;
  /** Hands all of it to the system or throws. What the system has survives the death of the process. */
  append(file: number, bytes: Buffer): void;
  /** Calls back, without holding up the thread, when the bytes have reached the disk; of a new file also its name. */
  sync(file: number, newPath: string | undefined, done: (failure: Error | null) => void): void;
  /** Fills the buffer as far as the file goes; returns the number of bytes. */
  read(file: number, into: Buffer, position: number): number;
  close(file: number): void;
  remove(path: string): void;
  makeDirectory(path: string): void;
  removeDirectory(path: string): void;
}

const segmentPattern = /^usage-\d{8}\.journal$/;

export const diskFiles: JournalFiles = {
  listSegments: (directory) =>
    readdirSync(directory)
      .filter((name) => segmentPattern.test(name))
      .sort()
      .map((name) => join(directory, name)),
  create: (path) => openSync(path, 'ax', 0o600),
  openForReading: (path) => openSync(path, 'r'),
  openForAppending: (path) => openSync(path, constants.O_WRONLY | constants.O_APPEND),
  sizeOf: (path) => statSync(path).size,
  identityOf(path) {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? undefined : `${found.dev}:${found.ino}`;
  },
  identityOfOpen(file) {
    const { dev, ino } = fstatSync(file);
    return `${dev}:${ino}`;
  },
  append(file, bytes) {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
  },
  sync(file, newPath, done) {
    fdatasync(file, (failure) => {
      if (failure === null && newPath !== undefined) syncDirectory(dirname(newPath), done);
      else done(failure);
    });
  },
  read(file, into, position) {
    let length = 0;
    while (length < into.length) {
      const count = readSync(file, into, length, into.length - length, position + length);
      if (count === 0) break;
      length += count;
    }
    return length;
  },
  close: closeSync,
  remove: unlinkSync,
  makeDirectory: (path) => makePrivateFolder(path),
  removeDirectory: (path) => rmSync(path, { recursive: true, force: true }),
};

/** A file is only there after a power cut when its name is on the disk too. */
function syncDirectory(path: string, done: (failure: Error | null) => void): void {
  open(path, 'r', (failure, directory) => {
    if (failure !== null) {
      done(failure);
      return;
    }
    fsync(directory, (notSynced) => close(directory, () => done(notSynced)));
  });
}

export function segmentName(number: number): string {
  return `usage-${String(number).padStart(8, '0')}.journal`;
}

/** The number that follows the newest of these segments. */
export function nextSegmentNumber(paths: readonly string[]): number {
  const last = /(\d{8})\.journal$/.exec(paths.at(-1) ?? '');
  return last === null ? 1 : Number(last[1]) + 1;
}
