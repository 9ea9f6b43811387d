import type { Migration } from './migration.ts';

/**
 * Beside the usage of its answer, so that the two are written, counted and forgotten together. A message knows the
 * requests that wrote it.
 */
export const receipts: Migration = {
  number: 76,
  name: 'receipts',
  sql: `
    ALTER TABLE usage_records ADD COLUMN receipt TEXT;
    ALTER TABLE messages ADD COLUMN request_ids TEXT NOT NULL DEFAULT '[]';
  `,
};
