import type { Migration } from './migration.ts';
import { postgresSearch } from './011-postgres-search.ts';

const tables = `
    CREATE TABLE chats (
      position INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      title_source TEXT NOT NULL,
      model TEXT NOT NULL,
      effort TEXT,
      system_prompt TEXT NOT NULL,
      parameters TEXT NOT NULL,
      is_pinned INTEGER NOT NULL,
      active_leaf_id TEXT,
      share_id TEXT UNIQUE,
      share_leaf_id TEXT,
      shared_at INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      deleted_at INTEGER
    ) STRICT;
    CREATE INDEX chats_by_person ON chats (person_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX chats_pinned ON chats (person_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL AND is_pinned = 1;
    CREATE INDEX chats_deleted ON chats (deleted_at) WHERE deleted_at IS NOT NULL;

    CREATE TABLE messages (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      chat_id TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
      parent_id TEXT,
      role TEXT NOT NULL,
      content TEXT NOT NULL,
      reasoning TEXT NOT NULL,
      tool_calls TEXT NOT NULL,
      tool_call_id TEXT,
      model TEXT,
      effort TEXT,
      finish_reason TEXT,
      usage TEXT,
      timings TEXT,
      state TEXT NOT NULL,
      error TEXT,
      generation_id TEXT,
      created_at INTEGER NOT NULL,
      deleted_at INTEGER
    ) STRICT;
    CREATE INDEX messages_by_chat ON messages (chat_id, position);
    CREATE INDEX messages_running ON messages (chat_id) WHERE state = 'running';
    CREATE INDEX messages_deleted ON messages (deleted_at) WHERE deleted_at IS NOT NULL;

`;

/**
 * The search indexes hold words only, not a second copy of the texts; triggers keep them true. The owner is a word
 * like any other, so that a search reads the person's own entries and not everybody's; who may see a hit is
 * still decided by the chats table. An answer enters the index when it is no longer being written.
 */
export const conversations: Migration = {
  number: 11,
  name: 'conversations',
  sql: `
    ${tables}
    CREATE VIRTUAL TABLE title_search USING fts5 (
      owner, title, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='2 3'
    );
    CREATE VIRTUAL TABLE message_search USING fts5 (
      owner, body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='2 3'
    );

    CREATE TRIGGER chats_inserted AFTER INSERT ON chats BEGIN
      INSERT INTO title_search (rowid, owner, title) VALUES (new.position, new.person_id, new.title);
    END;
    CREATE TRIGGER chats_renamed AFTER UPDATE OF title ON chats WHEN old.title <> new.title BEGIN
      DELETE FROM title_search WHERE rowid = old.position;
      INSERT INTO title_search (rowid, owner, title) VALUES (new.position, new.person_id, new.title);
    END;
    CREATE TRIGGER chats_removed AFTER DELETE ON chats BEGIN
      DELETE FROM title_search WHERE rowid = old.position;
    END;

    CREATE TRIGGER messages_inserted AFTER INSERT ON messages WHEN new.state <> 'running' BEGIN
      INSERT INTO message_search (rowid, owner, body)
        SELECT new.position, person_id, new.content FROM chats WHERE id = new.chat_id;
    END;
    CREATE TRIGGER messages_finished AFTER UPDATE OF state ON messages
      WHEN old.state = 'running' AND new.state <> 'running' BEGIN
      INSERT INTO message_search (rowid, owner, body)
        SELECT new.position, person_id, new.content FROM chats WHERE id = new.chat_id;
    END;
    CREATE TRIGGER messages_removed AFTER DELETE ON messages WHEN old.state <> 'running' BEGIN
      DELETE FROM message_search WHERE rowid = old.position;
    END;
  `,
  postgres: tables + postgresSearch,
};
