import type { Migration } from './migration.ts';

/** What operators tell everybody. The updates of an incident are one JSON list: few, and always read together. */
export const bulletin: Migration = {
  number: 51,
  name: 'bulletin',
  sql: `
    CREATE TABLE announcements (
      id TEXT PRIMARY KEY,
      text TEXT NOT NULL,
      kind TEXT NOT NULL,
      starts_at INTEGER NOT NULL,
      ends_at INTEGER,
      is_dismissible INTEGER NOT NULL,
      is_on_status_page INTEGER NOT NULL,
      made_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE announcements_dismissed (
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      announcement_id TEXT NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
      PRIMARY KEY (person_id, announcement_id)
    ) STRICT;

    CREATE TABLE incidents (
      id TEXT PRIMARY KEY,
      title TEXT NOT NULL,
      impact TEXT NOT NULL,
      models TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      resolved_at INTEGER,
      updates TEXT NOT NULL
    ) STRICT;
  `,
};
