import type { Migration } from './migration.ts';

/** The page of everybody's keys is read in its order, however many there are. */
export const keysByAge: Migration = {
  number: 95,
  name: 'keys by age',
  sql: `CREATE INDEX api_keys_by_age ON api_keys (created_at DESC, id);`,
};
