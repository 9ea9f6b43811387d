import type { Migration } from './migration.ts';

/** One link for each person; those of before lived for a day and were never withdrawn. */
export const oneSignInLink: Migration = {
  number: 20,
  name: 'one-sign-in-link',
  sql: `
    DROP TABLE sign_in_links;
    CREATE TABLE sign_in_links (
      person_id TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
      token_digest TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT;
  `,
};
