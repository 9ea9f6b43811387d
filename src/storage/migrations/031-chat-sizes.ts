import type { Migration } from './migration.ts';

const ownBytes = (row: string) =>
  `(500 + octet_length(${row}.title) + octet_length(${row}.system_prompt) + octet_length(${row}.parameters))`;
const messageBytes = (row: string) =>
  `(500 + octet_length(${row}.content) + octet_length(${row}.reasoning) + octet_length(${row}.tool_calls))`;

/**
 * What the chats of each person take. Triggers keep it true, whoever writes: a chat weighs what it says and what its
 * messages say, each with something for its row and its indexes; a person what their chats weigh.
 */
export const chatSizes: Migration = {
  number: 31,
  name: 'chat-sizes',
  sql: `
    ALTER TABLE chats ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE person_storage (
      person_id TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
      bytes INTEGER NOT NULL
    ) STRICT;

    UPDATE chats SET bytes = ${ownBytes('chats')}
      + (SELECT coalesce(sum(${messageBytes('messages')}), 0) FROM messages WHERE chat_id = chats.id);
    INSERT INTO person_storage SELECT person_id, sum(bytes) FROM chats GROUP BY person_id;

    CREATE TRIGGER chats_weighed AFTER INSERT ON chats BEGIN
      UPDATE chats SET bytes = ${ownBytes('new')} WHERE position = new.position;
    END;
    CREATE TRIGGER chats_reweighed AFTER UPDATE OF title, system_prompt, parameters ON chats BEGIN
      UPDATE chats SET bytes = bytes + ${ownBytes('new')} - ${ownBytes('old')} WHERE position = new.position;
    END;
    CREATE TRIGGER chats_bytes_changed AFTER UPDATE OF bytes ON chats WHEN new.bytes <> old.bytes BEGIN
      INSERT INTO person_storage (person_id, bytes) VALUES (new.person_id, new.bytes - old.bytes)
        ON CONFLICT (person_id) DO UPDATE SET bytes = person_storage.bytes + excluded.bytes;
    END;
    CREATE TRIGGER chats_unweighed AFTER DELETE ON chats BEGIN
      UPDATE person_storage SET bytes = bytes - old.bytes WHERE person_id = old.person_id;
    END;
    CREATE TRIGGER messages_weighed AFTER INSERT ON messages BEGIN
      UPDATE chats SET bytes = bytes + ${messageBytes('new')} WHERE id = new.chat_id;
    END;
    CREATE TRIGGER messages_reweighed AFTER UPDATE OF content, reasoning, tool_calls ON messages BEGIN
      UPDATE chats SET bytes = bytes + ${messageBytes('new')} - ${messageBytes('old')} WHERE id = new.chat_id;
    END;
    CREATE TRIGGER messages_unweighed AFTER DELETE ON messages BEGIN
      UPDATE chats SET bytes = bytes - ${messageBytes('old')} WHERE id = old.chat_id;
    END;
  `,
};
