import type { Migration } from './migration.ts';

/** Which process writes an answer, so that another one that starts does not take it for abandoned. */
export const answerWriters: Migration = {
  number: 30,
  name: 'answer-writers',
  sql: `
    ALTER TABLE messages ADD COLUMN written_by TEXT;
    CREATE INDEX messages_written_by ON messages (written_by) WHERE state = 'running';
    CREATE INDEX chats_by_age ON chats (updated_at) WHERE deleted_at IS NULL;
  `,
};
