import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder that only this user may look into, with those above it. Node's own way of doing so never returns where
 * nothing can be made, as in /proc.
 */
export function makePrivateFolder(path: string): void {
  if (isMade(path)) return;
  makePrivateFolder(dirname(path));
  // Throws what is in the way.
  if (!isMade(path)) mkdirSync(path);
}

function isMade(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(path) !== path) return false;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return true;
    throw thrown;
  }
}
