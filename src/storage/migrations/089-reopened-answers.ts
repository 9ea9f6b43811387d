import type { Migration } from './migration.ts';

/** An answer that is written on leaves the search until it ends again: it stands there once, with its last words. */
export const reopenedAnswers: Migration = {
  number: 89,
  name: 'reopened-answers',
  sql: `
    DELETE FROM message_search WHERE rowid IN (SELECT position FROM messages WHERE state = 'running');
    CREATE TRIGGER messages_reopened AFTER UPDATE OF state ON messages
      WHEN old.state <> 'running' AND new.state = 'running' BEGIN
      DELETE FROM message_search WHERE rowid = old.position;
    END;
  `,
};
