import {
  closeSync,
  fchownSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Whole or not at all, and readable alone by whoever owns the folder, also when root writes it. */
export function replaceFile(file: string, text: string): void {
  const beside = `${file}.${process.pid}.new`;
  try {
    const descriptor = openSync(beside, 'w', 0o600);
    try {
      writeFileSync(descriptor, text);
      if (process.getuid?.() === 0) {
        const { uid, gid } = statSync(dirname(file));
        fchownSync(descriptor, uid, gid);
      }
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
