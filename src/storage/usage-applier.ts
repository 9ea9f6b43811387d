import { DatabaseSync } from 'node:sqlite';
import { OperatorProblem } from '#vocabulary/operator-problem';
import type { UsageApplier } from '#vocabulary/stores';
import { databaseIdentity } from './database-identity.ts';
import { addToDaySql, toUsageValues, usageColumns } from './usage-row.ts';

/** Short: it is tried again, and meanwhile nobody else waits for this thread. */
const busyWaitMs = 250;

/**
 * Runs in a thread of the journal with a connection of its own. Commits are synced to the disk, because the
 * journal deletes a segment once its records are in here. A record counts once, in itself and in the sums of its day.
 * Throws when the database cannot take the records, also when its file is no longer where it was.
 */
export function openUsageApplier(location: string): UsageApplier {
  const identity = databaseIdentity(location);
  if (identity === undefined) throw new OperatorProblem(`The database ${location} is gone.`);
  const database = new DatabaseSync(location, { timeout: busyWaitMs });
  database.exec('PRAGMA synchronous = FULL');
  const insert = database.prepare(
    `INSERT INTO usage_records (${usageColumns.join(', ')})
     VALUES (${usageColumns.map(() => '?').join(', ')}) ON CONFLICT (request_id) DO NOTHING`,
  );
  const newest = database.prepare('SELECT coalesce(max(rowid), 0) AS row FROM usage_records');
  const addToDays = database.prepare(addToDaySql('rowid > ?'));

  return {
    apply(records) {
      if (databaseIdentity(location) !== identity)
        throw new OperatorProblem(`The database ${location} was removed or replaced while it was in use.`);
      database.exec('BEGIN IMMEDIATE');
      try {
        // Nobody else writes in here until the commit: what is above the newest row of before is new.
        const before = newest.get()?.['row'] ?? 0;
        for (const record of records) insert.run(...toUsageValues(record));
        addToDays.run(before);
        database.exec('COMMIT');
      } catch (cause) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw cause;
      }
    },
    close: () => database.close(),
  };
}
