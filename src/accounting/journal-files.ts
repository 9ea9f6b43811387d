import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** What the journal asks of a file system, so that a test can take the disk away. Every call may throw. */
export interface JournalFiles {
  /** New segments in `directory`, oldest first, as full paths. */
  listSegments(directory: string): readonly string[];
  create(path: string): number;
  openForReading(path: string): number;
  sizeOf(path: string): number;
  /** Writes all of it or throws. */
  append(file: number, bytes: Buffer): void;
  /** Returns when the bytes have reached the disk. */
  sync(file: number): void;
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
  create(path) {
    const file = openSync(path, 'ax', 0o600);
    try {
      syncDirectory(join(path, '..'));
    } catch (cause) {
      closeSync(file);
      throw cause;
    }
    return file;
  },
  openForReading: (path) => openSync(path, 'r'),
  sizeOf: (path) => statSync(path).size,
  append(file, bytes) {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
  },
  sync: fdatasyncSync,
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
  makeDirectory: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  removeDirectory: (path) => rmSync(path, { recursive: true, force: true }),
};

/** A file is only there after a power cut when its name is on the disk too. */
function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

export function segmentName(number: number): string {
  return `usage-${String(number).padStart(8, '0')}.journal`;
}
