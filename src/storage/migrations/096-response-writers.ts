import type { Migration } from './migration.ts';

/** Which process writes a response in the background, so that one knows when nobody does any more. */
export const responseWriters: Migration = {
  number: 96,
  name: 'response writers',
  sql: `
    ALTER TABLE responses ADD COLUMN written_by TEXT;
    CREATE INDEX responses_written_by ON responses (written_by) WHERE alive_until IS NOT NULL;
  `,
};
