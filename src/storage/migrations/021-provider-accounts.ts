import type { Migration } from './migration.ts';

const columns = `
    ALTER TABLE people ADD COLUMN managed_by TEXT;
    ALTER TABLE people ADD COLUMN withdrawn_at INTEGER;
    ALTER TABLE identities ADD COLUMN checked_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE identities ADD COLUMN refresh_token TEXT;
    ALTER TABLE sessions ADD COLUMN checked_at INTEGER;
    CREATE INDEX identities_by_check ON identities (checked_at);
`;

const trigger = `
    CREATE TRIGGER people_withdrawn_updated AFTER UPDATE OF withdrawn_at ON people BEGIN
      INSERT INTO access_changes (subject, subject_id) VALUES ('person', new.id);
    END;
`;

/**
 * Whoever came through a provider first is the provider's: no password here, and gone when the provider says so.
 * Identities that were joined later by an e-mail address alone are let go; their owners can connect them again.
 */
export const providerAccounts: Migration = {
  number: 21,
  name: 'provider-accounts',
  sql: `
    ${columns}
    UPDATE people SET managed_by = (
      SELECT issuer FROM identities
      WHERE person_id = people.id AND linked_at - people.created_at < 5000
      ORDER BY linked_at LIMIT 1
    );
    UPDATE people SET password_hash = NULL WHERE managed_by IS NOT NULL;
    DELETE FROM identities WHERE issuer IS NOT (SELECT managed_by FROM people WHERE id = person_id);
    UPDATE identities SET checked_at = unixepoch() * 1000;
    UPDATE sessions SET checked_at = created_at WHERE provider_id IS NOT NULL;

    ${trigger}
  `,
  // Nobody can have been there before: PostgreSQL came later.
  postgres: columns + trigger,
};
