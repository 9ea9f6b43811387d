import { statSync } from 'node:fs';

/**
 * What the path of a database stands for: it changes when the file is removed or replaced, under connections that go
 * on writing into nowhere. Undefined when nothing is there, or an empty file, which no database ever is.
 */
export function databaseIdentity(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || found.size === 0 ? undefined : `${found.dev}:${found.ino}`;
}
