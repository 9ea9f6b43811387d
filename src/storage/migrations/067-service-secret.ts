import type { Migration } from './migration.ts';

/** What every gateway of a service knows and nobody else: one seals what another opens. Filled at the next start. */
export const serviceSecret: Migration = {
  number: 67,
  name: 'service secret',
  sql: `
    ALTER TABLE service ADD COLUMN secret TEXT NOT NULL DEFAULT '';
  `,
};
