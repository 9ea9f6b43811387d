import { existsSync, rmSync } from 'node:fs';
import { openUsageApplier as openHealthyApplier } from '../../src/storage/usage-applier.ts';
import type { UsageApplier } from '#vocabulary/stores';

/** The real applier, except that a file beside the database makes it fail, or makes its thread die once. */
export function openUsageApplier(location: string): UsageApplier {
  const healthy = openHealthyApplier(location);
  return {
    apply(records) {
      if (existsSync(`${location}.fail`)) throw new Error('the database is out for lunch');
      if (existsSync(`${location}.die`)) {
        rmSync(`${location}.die`);
        process.exit(1);
      }
      return healthy.apply(records);
    },
    close: () => healthy.close(),
  };
}
