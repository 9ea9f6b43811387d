import type { Migration } from './migration.ts';

export const people: Migration = {
  number: 1,
  name: 'people',
  sql: `
    CREATE TABLE people (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL,
      email_folded TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('person', 'administrator')),
      state TEXT NOT NULL CHECK (state IN ('active', 'pending', 'disabled')),
      password_hash TEXT,
      created_at INTEGER NOT NULL,
      last_seen_at INTEGER
    ) STRICT;

    CREATE TABLE identities (
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      linked_at INTEGER NOT NULL,
      PRIMARY KEY (issuer, subject)
    ) STRICT;
    CREATE INDEX identities_by_person ON identities (person_id);
  `,
};
