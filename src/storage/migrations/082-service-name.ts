import type { Migration } from './migration.ts';

/** What operators call the service: a gateway whose data directory is new shows by it that it belongs here. */
export const serviceName: Migration = {
  number: 82,
  name: 'service name',
  sql: `
    ALTER TABLE service ADD COLUMN name TEXT NOT NULL DEFAULT '';
  `,
};
