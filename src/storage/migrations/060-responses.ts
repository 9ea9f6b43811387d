import type { Migration } from './migration.ts';

/** Responses that callers asked to keep, each for one owner. */
export const responses: Migration = {
  number: 60,
  name: 'responses',
  sql: `
    CREATE TABLE responses (
      id TEXT PRIMARY KEY,
      owner TEXT NOT NULL,
      person_id TEXT REFERENCES people (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      alive_until INTEGER,
      previous_id TEXT,
      response TEXT NOT NULL,
      input TEXT NOT NULL,
      events TEXT,
      bytes INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX responses_by_owner ON responses (owner, created_at, bytes);
    CREATE INDEX responses_by_person ON responses (person_id);
    CREATE INDEX responses_by_end ON responses (expires_at);
  `,
};
