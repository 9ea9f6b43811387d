import type { Migration } from './migration.ts';

/** What a gateway that was stopped in order knew of a response that it could not write to its end. */
export const putDownAnswers: Migration = {
  number: 101,
  name: 'put down answers',
  sql: `ALTER TABLE responses ADD COLUMN put_down BLOB;`,
};
