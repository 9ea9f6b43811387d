import type { Migration } from './migration.ts';

/** Which tool gave a result, and which tools people let be called without being asked. */
export const tools: Migration = {
  number: 74,
  name: 'tools',
  sql: `
    ALTER TABLE messages ADD COLUMN tool TEXT;

    CREATE TABLE tool_consents (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      chat_id TEXT REFERENCES chats (id) ON DELETE CASCADE,
      server TEXT NOT NULL,
      tool TEXT NOT NULL,
      digest TEXT NOT NULL,
      given_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX tool_consents_by_person ON tool_consents (person_id, digest);
    CREATE INDEX tool_consents_by_chat ON tool_consents (chat_id);
  `,
};
