import type { Migration } from './migration.ts';

/** Whether the letter with the invitation has left: null for one that was never to be sent. */
export const invitationLetters: Migration = {
  number: 81,
  name: 'invitation-letters',
  sql: `ALTER TABLE invitations ADD COLUMN letter TEXT;`,
};
