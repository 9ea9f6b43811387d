import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Whole or not at all, and readable by its owner alone. */
export function replaceFile(file: string, text: string): void {
  const beside = `${file}.${process.pid}.new`;
  try {
    const descriptor = openSync(beside, 'w', 0o600);
    try {
      writeFileSync(descriptor, text);
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
