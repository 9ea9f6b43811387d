import type { Client } from 'pg';
import type { Logger } from '#vocabulary/logger';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { migrations, type SchemaStanding, standingOf, tellNew, tellStep } from '../migrate.ts';
import { toPostgres } from './to-postgres.ts';

/** Any number, as long as nobody else takes it: a lock of PostgreSQL's has no name. */
const migrationLock = 65;

/**
 * Brings the schema up to date in one transaction. The lock is taken before looking, so of many gateways that start
 * together one does the work and the others find it done.
 */
export async function migratePostgres(client: Client, name: string, logger: Logger): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    await refuseForeignDatabase(client, name);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)',
    );
    const applied = await readApplied(client);
    refuseNewerDatabase(applied, name);
    for (const step of migrations) {
      if (applied.includes(step.number)) continue;
      await client.query(toPostgres(step.postgres ?? step.sql));
      await client.query('INSERT INTO migrations (number, name, applied_at) VALUES ($1, $2, $3)', [
        step.number,
        step.name,
        Date.now(),
      ]);
      if (applied.length > 0) tellStep(logger, step);
    }
    await client.query('COMMIT');
    if (applied.length === 0) tellNew(logger);
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => {});
    throw cause;
  }
}

/** Changes nothing. Throws an `OperatorProblem` when it is somebody else's. */
export async function readPostgresStanding(client: Client, name: string): Promise<SchemaStanding> {
  const tables = await refuseForeignDatabase(client, name);
  return standingOf(tables === 0 ? [] : await readApplied(client));
}

async function readApplied(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ number: number }>('SELECT number FROM migrations');
  return rows.map(({ number }) => number);
}

function refuseNewerDatabase(applied: readonly number[], name: string): void {
  const { unknown } = standingOf(applied);
  if (unknown.length === 0) return;
  throw new OperatorProblem(
    `The database ${name} was last used by a newer version of Gatehouse (schema step ${Math.max(...unknown)}). Start that version, or name another database.`,
  );
}

/** Tables of somebody else, among which ours would be a surprise. Gives the number of ours. */
async function refuseForeignDatabase(client: Client, name: string): Promise<number> {
  const { rows } = await client.query<{ table: string; ours: boolean }>(`
    SELECT table_name AS table, EXISTS (
      SELECT FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = 'migrations' AND column_name = 'applied_at') AS ours
    FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1`);
  const foreign = rows.filter(({ ours }) => !ours).map(({ table }) => table);
  if (foreign.length === 0) return rows.length;
  const some = foreign.slice(0, 3).join(', ');
  throw new OperatorProblem(
    `The database ${name} holds something else (${some}${foreign.length > 3 ? ', …' : ''}). Name an empty database, or one that Gatehouse made.`,
  );
}
