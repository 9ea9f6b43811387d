import type { Migration } from './migration.ts';

/** Whose a preset is: `scope` says of what kind the owner is, `owner_id` which one; nobody in particular owns the service's. */
export const presets: Migration = {
  number: 85,
  name: 'presets',
  sql: `
    CREATE TABLE presets (
      id TEXT PRIMARY KEY,
      scope TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      name TEXT NOT NULL,
      name_folded TEXT NOT NULL,
      description TEXT NOT NULL,
      model TEXT,
      effort TEXT,
      system_prompt TEXT,
      parameters TEXT,
      prompt TEXT NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX presets_by_owner ON presets (scope, owner_id, name_folded);
  `,
};
