import type { Migration } from './migration.ts';

/** What stands for a conversation up to a message: with the message, weighed with it, and gone with it. */
export const summaries: Migration = {
  number: 88,
  name: 'summaries',
  sql: `
    ALTER TABLE messages ADD COLUMN summary TEXT;
    CREATE TRIGGER summaries_weighed AFTER INSERT ON messages WHEN new.summary IS NOT NULL BEGIN
      UPDATE chats SET bytes = bytes + octet_length(new.summary) WHERE id = new.chat_id;
    END;
    CREATE TRIGGER summaries_reweighed AFTER UPDATE OF summary ON messages BEGIN
      UPDATE chats SET bytes = bytes + coalesce(octet_length(new.summary), 0) - coalesce(octet_length(old.summary), 0)
        WHERE id = new.chat_id;
    END;
    CREATE TRIGGER summaries_unweighed AFTER DELETE ON messages WHEN old.summary IS NOT NULL BEGIN
      UPDATE chats SET bytes = bytes - octet_length(old.summary) WHERE id = old.chat_id;
    END;
  `,
};
