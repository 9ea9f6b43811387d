import type { Migration } from './migration.ts';

/**
 * The triggers write down who changed, so that a running server hears of what another process did. The log
 * keeps the last 10,000 changes; a reader that fell further behind reads everything again.
 */
export const keys: Migration = {
  number: 2,
  name: 'keys',
  sql: `
    CREATE TABLE api_keys (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      prefix TEXT NOT NULL,
      digest TEXT NOT NULL UNIQUE,
      models TEXT NOT NULL,
      networks TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      revoked_at INTEGER,
      successor_id TEXT
    ) STRICT;
    CREATE INDEX api_keys_by_person ON api_keys (person_id);
    CREATE INDEX api_keys_by_prefix ON api_keys (prefix);

    CREATE TABLE api_key_uses (
      key_id TEXT PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
      used_at INTEGER NOT NULL,
      address TEXT NOT NULL
    ) STRICT;

    CREATE TABLE access_changes (
      revision INTEGER PRIMARY KEY AUTOINCREMENT,
      subject TEXT NOT NULL,
      subject_id TEXT NOT NULL
    ) STRICT;

    CREATE TRIGGER api_keys_inserted AFTER INSERT ON api_keys BEGIN
      INSERT INTO access_changes (subject, subject_id) VALUES ('key', new.id);
    END;
    CREATE TRIGGER api_keys_updated AFTER UPDATE ON api_keys BEGIN
      INSERT INTO access_changes (subject, subject_id) VALUES ('key', new.id);
    END;
    CREATE TRIGGER api_keys_deleted AFTER DELETE ON api_keys BEGIN
      INSERT INTO access_changes (subject, subject_id) VALUES ('key', old.id);
    END;
    CREATE TRIGGER people_state_updated AFTER UPDATE OF state, role ON people BEGIN
      INSERT INTO access_changes (subject, subject_id) VALUES ('person', new.id);
    END;
    CREATE TRIGGER people_deleted AFTER DELETE ON people BEGIN
      INSERT INTO access_changes (subject, subject_id) VALUES ('person', old.id);
    END;
    CREATE TRIGGER access_changes_pruned AFTER INSERT ON access_changes BEGIN
      DELETE FROM access_changes WHERE revision <= new.revision - 10000;
    END;
  `,
};
