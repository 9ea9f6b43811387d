import type { Migration } from './migration.ts';

/** An invitation may lead into projects: their ids, as a JSON list. */
export const invitationProjects: Migration = {
  number: 54,
  name: 'invitation-projects',
  sql: `ALTER TABLE invitations ADD COLUMN projects TEXT NOT NULL DEFAULT '[]';`,
};
