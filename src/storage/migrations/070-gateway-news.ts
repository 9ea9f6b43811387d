import type { Migration } from './migration.ts';

const columns = `(
      id TEXT PRIMARY KEY,
      seen_at INTEGER NOT NULL,
      address TEXT NOT NULL,
      topics TEXT NOT NULL
    )`;

/**
 * What gateways tell each other, written anew several times a second and worth nothing after a few: PostgreSQL need not
 * keep it through a crash.
 */
export const gatewayNews: Migration = {
  number: 70,
  name: 'gateway news',
  sql: `CREATE TABLE gateway_news ${columns} STRICT;`,
  postgres: `CREATE UNLOGGED TABLE gateway_news ${columns};`,
};
