import type { Migration } from './migration.ts';

/**
 * What the members of a project have together. A project may stand in the settings file, so nothing here refers to
 * the table of projects. A document with a project belongs to it; its person is only who brought it.
 */
export const spaces: Migration = {
  number: 90,
  name: 'spaces',
  sql: `
    CREATE TABLE spaces (
      project_id TEXT PRIMARY KEY,
      instructions TEXT NOT NULL,
      changed_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE space_chats (
      chat_id TEXT PRIMARY KEY REFERENCES chats (id) ON DELETE CASCADE,
      project_id TEXT NOT NULL,
      is_inside INTEGER NOT NULL,
      shared_at INTEGER
    ) STRICT;
    CREATE INDEX space_chats_by_project ON space_chats (project_id, shared_at);

    ALTER TABLE documents ADD COLUMN project_id TEXT;
    CREATE INDEX documents_by_project ON documents (project_id) WHERE project_id IS NOT NULL;
  `,
};
