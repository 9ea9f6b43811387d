import type { Migration } from './migration.ts';

const tables = `
    CREATE TABLE service (
      place INTEGER PRIMARY KEY CHECK (place = 1),
      id TEXT NOT NULL
    ) STRICT;

    CREATE TABLE gateways (
      id TEXT PRIMARY KEY,
      seen_at INTEGER NOT NULL
    ) STRICT;
`;

/** Any number, as long as nobody else takes it: a lock of PostgreSQL's has no name. */
const orderLock = 66;

/**
 * Which service a database belongs to, and which gateways serve from it. On PostgreSQL many write at once: without
 * the lock a reader could see a change before one with a lower number and never learn of that one. Whoever listens
 * hears of changes the moment they count. Old ones are pruned now and then, since looking for them is dearer here.
 */
export const service: Migration = {
  number: 66,
  name: 'service',
  sql: tables,
  postgres: `
    ${tables}
    CREATE FUNCTION access_changes_in_order() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        PERFORM pg_advisory_xact_lock(${orderLock});
        new.revision := nextval(pg_get_serial_sequence('access_changes', 'revision'));
        RETURN new;
      END
    $body$;
    CREATE TRIGGER access_changes_in_order BEFORE INSERT ON access_changes
      FOR EACH ROW EXECUTE FUNCTION access_changes_in_order();

    DROP TRIGGER access_changes_pruned ON access_changes;
    CREATE TRIGGER access_changes_pruned AFTER INSERT ON access_changes
      FOR EACH ROW WHEN (new.revision % 100 = 0) EXECUTE FUNCTION access_changes_pruned();

    CREATE FUNCTION tell_gateways() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN PERFORM pg_notify('gatehouse_changes', ''); RETURN NULL; END
    $body$;
    CREATE TRIGGER access_changes_told AFTER INSERT ON access_changes
      FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways();
    CREATE TRIGGER project_revision_told AFTER UPDATE ON project_revision
      FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways();
  `,
};
