import type { Migration } from './migration.ts';

/** What people think of answers: with the message, and gone with it. */
export const feedback: Migration = {
  number: 77,
  name: 'feedback',
  sql: `
    ALTER TABLE messages ADD COLUMN feedback TEXT;
    CREATE INDEX messages_by_feedback ON messages (model, feedback) WHERE feedback IS NOT NULL;
  `,
};
