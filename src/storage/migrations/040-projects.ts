import type { Migration } from './migration.ts';

/** Changes of any process count up one number, so that a running server hears of them by looking at it. */
export const projects: Migration = {
  number: 40,
  name: 'projects',
  sql: `
    CREATE TABLE projects (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      weight REAL NOT NULL,
      models TEXT NOT NULL,
      ends_at INTEGER,
      groups TEXT NOT NULL,
      shares_prompts INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE project_members (
      project_id TEXT NOT NULL,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      role TEXT NOT NULL,
      source TEXT NOT NULL,
      PRIMARY KEY (project_id, person_id, source)
    ) STRICT;
    CREATE INDEX project_members_by_person ON project_members (person_id);

    CREATE TABLE limits (
      scope TEXT NOT NULL,
      subject_id TEXT NOT NULL,
      model TEXT NOT NULL,
      amounts TEXT NOT NULL,
      PRIMARY KEY (scope, subject_id, model)
    ) STRICT;

    CREATE TABLE project_revision (revision INTEGER NOT NULL) STRICT;
    INSERT INTO project_revision VALUES (1);
    ${['projects', 'project_members', 'limits']
      .flatMap((table) =>
        ['INSERT', 'UPDATE', 'DELETE'].map(
          (change) => `
    CREATE TRIGGER ${table}_${change.toLowerCase()} AFTER ${change} ON ${table} BEGIN
      UPDATE project_revision SET revision = revision + 1;
    END;`,
        ),
      )
      .join('')}

    ALTER TABLE api_keys ADD COLUMN project_id TEXT NOT NULL DEFAULT 'everyone';
    ALTER TABLE api_keys ADD COLUMN lane TEXT NOT NULL DEFAULT 'interactive';
    ALTER TABLE usage_records ADD COLUMN cost REAL NOT NULL DEFAULT 0;
  `,
};
