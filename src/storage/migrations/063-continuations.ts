import type { Migration } from './migration.ts';

export const continuations: Migration = {
  number: 63,
  name: 'continuations',
  sql: `
    ALTER TABLE usage_records ADD COLUMN continuations INTEGER NOT NULL DEFAULT 0;
  `,
};
