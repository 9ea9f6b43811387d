import { join } from 'node:path';

/**
 * Where suites and benchmarks keep what they bring: gigabytes that git does not know. `GATEHOUSE_CACHE` names another
 * folder, which several checkouts may share.
 */
export function cacheFolderOf(name: string): string {
  const root = process.env['GATEHOUSE_CACHE'] ?? new URL('../../.cache/', import.meta.url).pathname;
  return join(root, name, '/');
}
