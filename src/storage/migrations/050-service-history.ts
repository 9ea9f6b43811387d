import type { Migration } from './migration.ts';

/**
 * How each model did, in stretches of five minutes, an hour and a day. Bounded: short stretches are forgotten soon.
 * The notes hold what one process wants another to know, such as when the last backup was made.
 */
export const serviceHistory: Migration = {
  number: 50,
  name: 'service history',
  sql: `
    CREATE TABLE service_history (
      length TEXT NOT NULL,
      starts_at INTEGER NOT NULL,
      model TEXT NOT NULL,
      requests INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      input_tokens INTEGER NOT NULL,
      cached_tokens INTEGER NOT NULL,
      output_tokens INTEGER NOT NULL,
      seconds_seen REAL NOT NULL,
      seconds_up REAL NOT NULL,
      waiting_seconds REAL NOT NULL,
      running_seconds REAL NOT NULL,
      first_within_100 INTEGER NOT NULL,
      first_within_250 INTEGER NOT NULL,
      first_within_500 INTEGER NOT NULL,
      first_within_1000 INTEGER NOT NULL,
      first_within_2000 INTEGER NOT NULL,
      first_within_5000 INTEGER NOT NULL,
      first_within_10000 INTEGER NOT NULL,
      first_within_30000 INTEGER NOT NULL,
      first_later INTEGER NOT NULL,
      PRIMARY KEY (length, starts_at, model)
    ) STRICT;

    CREATE TABLE service_notes (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT;
  `,
};
