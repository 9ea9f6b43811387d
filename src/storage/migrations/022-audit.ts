import type { Migration } from './migration.ts';

/**
 * Entries name people without referring to them: the trail outlives whoever is in it. The triggers keep accidents
 * away; whoever can write the file can remove them, which is why each entry holds the hash of the one before.
 */
export const audit: Migration = {
  number: 22,
  name: 'audit',
  sql: `
    CREATE TABLE audit_entries (
      position INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      actor_kind TEXT NOT NULL,
      actor_id TEXT,
      person_id TEXT,
      address TEXT,
      user_agent TEXT,
      detail TEXT NOT NULL,
      is_notice INTEGER NOT NULL,
      previous_hash TEXT NOT NULL,
      hash TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_entries_by_person ON audit_entries (person_id, position);
    CREATE INDEX audit_entries_by_actor ON audit_entries (actor_id, position);
    CREATE INDEX audit_entries_by_kind ON audit_entries (kind, position);

    CREATE TRIGGER audit_entries_stay BEFORE DELETE ON audit_entries BEGIN
      SELECT RAISE(ABORT, 'the audit trail is append-only');
    END;
    CREATE TRIGGER audit_entries_never_change BEFORE UPDATE ON audit_entries BEGIN
      SELECT RAISE(ABORT, 'the audit trail is append-only');
    END;

    CREATE TABLE notices_seen (
      person_id TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
      position INTEGER NOT NULL
    ) STRICT;

    ALTER TABLE sign_in_links ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
  `,
};
