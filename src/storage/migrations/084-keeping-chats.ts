import type { Migration } from './migration.ts';

/** Chats that are put away, and folders for the others. A list reads the index of what it shows and nothing else. */
export const keepingChats: Migration = {
  number: 84,
  name: 'keeping chats',
  sql: `
    CREATE TABLE chat_folders (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX chat_folders_by_person ON chat_folders (person_id, name);

    ALTER TABLE chats ADD COLUMN archived_at INTEGER;
    ALTER TABLE chats ADD COLUMN folder_id TEXT REFERENCES chat_folders (id) ON DELETE SET NULL;
    CREATE INDEX chats_kept ON chats (person_id, updated_at DESC, id DESC)
      WHERE deleted_at IS NULL AND archived_at IS NULL;
    CREATE INDEX chats_archived ON chats (person_id, updated_at DESC, id DESC)
      WHERE deleted_at IS NULL AND archived_at IS NOT NULL;
    CREATE INDEX chats_in_folder ON chats (folder_id, updated_at DESC, id DESC) WHERE folder_id IS NOT NULL;
  `,
};
