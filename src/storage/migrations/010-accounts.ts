import type { Migration } from './migration.ts';

export const accounts: Migration = {
  number: 10,
  name: 'accounts',
  sql: `
    CREATE TABLE sessions (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      token_digest TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      last_seen_at INTEGER NOT NULL,
      ends_at INTEGER NOT NULL,
      user_agent TEXT NOT NULL,
      address TEXT NOT NULL,
      method TEXT NOT NULL,
      provider_id TEXT,
      id_token TEXT
    ) STRICT;
    CREATE INDEX sessions_by_person ON sessions (person_id);

    CREATE TABLE sign_in_links (
      token_digest TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX sign_in_links_by_person ON sign_in_links (person_id);

    CREATE TABLE invitations (
      id TEXT PRIMARY KEY,
      token_digest TEXT NOT NULL UNIQUE,
      email TEXT,
      role TEXT NOT NULL CHECK (role IN ('person', 'administrator')),
      invited_by TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      accepted_at INTEGER,
      revoked_at INTEGER
    ) STRICT;

    CREATE TABLE preferences (
      person_id TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
      content TEXT NOT NULL
    ) STRICT;
  `,
};
