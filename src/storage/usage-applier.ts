import { DatabaseSync } from 'node:sqlite';
import type { UsageApplier } from '#vocabulary/stores';
import { toUsageValues, usageColumns } from './usage-row.ts';

/** Short: while this waits for a lock the same thread cannot bring new entries to the disk. It is tried again. */
const busyWaitMs = 250;

/**
 * Runs in the journal's thread with a connection of its own. Commits are synced to the disk, because the
 * journal deletes a segment once its records are in here. Throws when the database cannot take the records.
 */
export function openUsageApplier(location: string): UsageApplier {
  const database = new DatabaseSync(location, { timeout: busyWaitMs });
  database.exec('PRAGMA synchronous = FULL');
  const insert = database.prepare(
    `INSERT INTO usage_records (${usageColumns.join(', ')})
     VALUES (${usageColumns.map(() => '?').join(', ')}) ON CONFLICT (request_id) DO NOTHING`,
  );

  return {
    apply(records) {
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const record of records) insert.run(...toUsageValues(record));
        database.exec('COMMIT');
      } catch (cause) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw cause;
      }
    },
    close: () => database.close(),
  };
}
