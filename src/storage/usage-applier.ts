import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { UsageApplier } from '#vocabulary/stores';
import { toUsageRow } from './usage-row.ts';

/**
 * Runs in the journal's thread with a connection of its own. Commits are synced to the disk, because the
 * journal deletes a segment once its records are in here. Throws when the database cannot take the records.
 */
export function openUsageApplier(location: string): UsageApplier {
  const database = new DatabaseSync(location, { timeout: 5_000 });
  database.exec('PRAGMA synchronous = FULL');
  const insert = database.prepare(
    `INSERT INTO usage_records VALUES (${Array.from({ length: 23 }, () => '?').join(', ')}) ON CONFLICT DO NOTHING`,
  );

  return {
    apply(records) {
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const record of records) insert.run(...(Object.values(toUsageRow(record)) as SQLInputValue[]));
        database.exec('COMMIT');
      } catch (cause) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw cause;
      }
    },
    close: () => database.close(),
  };
}
