import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { Logger } from '#vocabulary/logger';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { readSchemaStanding, standingOf } from '../migrate.ts';
import { prepareDatabase } from '../open-database.ts';
import { migratePostgres } from '../postgres/migrate-postgres.ts';
import { connectionOf, endClient } from '../postgres/postgres-pool.ts';
import { nameOfDatabase, refuseUnfitServer } from '../postgres/prepare-postgres.ts';
import { writeServiceName } from '../service-identity.ts';
import type { CopySide, CopyTarget } from './copy-side.ts';
import { openPostgresSide } from './postgres-side.ts';
import { openSqliteSide } from './sqlite-side.ts';
import { type CopiedTable, planTables } from './table-plan.ts';

export interface CopyReport {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly digest: string }[];
}

/** A copy of a large service takes its time. */
const statementMs = 3_600_000;
/** Filled when a database is made. */
const seeded: ReadonlySet<string> = new Set(['service', 'project_revision']);

/** From a data directory into an empty PostgreSQL database. Nobody may serve from the directory; the caller has looked. */
export async function copyToPostgres(dataDir: string, address: string, logger: Logger): Promise<CopyReport> {
  const path = join(dataDir, 'gatehouse.db');
  if (!existsSync(path)) throw new OperatorProblem(`There is no database in ${dataDir}.`);
  const source = new DatabaseSync(path, { readOnly: true, timeout: 15_000 });
  const client = await connect(address);
  try {
    refuseOtherSchema(readSchemaStanding(source).missing, dataDir);
    await migratePostgres(client, nameOfDatabase(address), logger);
    const target = openPostgresSide(client, nameOfDatabase(address));
    const report = await copy(planTables(source), openSqliteSide(source, path), target);
    const { rows } = await client.query<{ id: string }>('SELECT id FROM service');
    if (rows[0] !== undefined) writeServiceName(dataDir, rows[0].id);
    return report;
  } finally {
    source.close();
    await endClient(client);
  }
}

/** From PostgreSQL into a data directory without a database. */
export async function copyToSqlite(address: string, dataDir: string, logger: Logger): Promise<CopyReport> {
  if (existsSync(join(dataDir, 'gatehouse.db')))
    throw new OperatorProblem(`${dataDir} already holds a database. Choose an empty folder.`);
  const client = await connect(address);
  try {
    const label = nameOfDatabase(address);
    const { rows } = await client.query<{ number: number }>('SELECT number FROM migrations');
    refuseOtherSchema(standingOf(rows.map(({ number }) => number)).missing, label);
    await refuseRunningGateways(client, label);
    return await intoNewFile(dataDir, openPostgresSide(client, label), logger);
  } finally {
    await endClient(client);
  }
}

async function intoNewFile(dataDir: string, source: CopySide, logger: Logger): Promise<CopyReport> {
  const { path } = prepareDatabase(dataDir, logger);
  const target = new DatabaseSync(path);
  try {
    const report = await copy(planTables(target), source, openSqliteSide(target, path));
    writeServiceName(dataDir, String(target.prepare('SELECT id FROM service').get()?.['id']));
    target.close();
    return report;
  } catch (cause) {
    if (target.isOpen) target.close();
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    throw cause;
  }
}

/** All or nothing: nothing is there until both sides were read again and hold the same rows. */
async function copy(
  tables: readonly CopiedTable[],
  source: CopySide,
  target: CopyTarget,
): Promise<CopyReport> {
  for (const table of tables)
    if (!seeded.has(table.name) && (await target.count(table)) > 0)
      throw new OperatorProblem(`${target.label} is not empty (${table.name}). Copy into an empty database.`);
  try {
    await target.begin(tables);
    for (const table of tables)
      for await (const rows of source.read(table)) if (rows.length > 0) await target.write(table, rows);
    await target.settle(tables);
    const compared = [];
    for (const table of tables) compared.push(await compare(table, source, target));
    await target.commit();
    return { from: source.label, to: target.label, tables: compared };
  } catch (cause) {
    await target.abandon();
    throw cause;
  }
}

async function compare(
  table: CopiedTable,
  source: CopySide,
  target: CopySide,
): Promise<CopyReport['tables'][number]> {
  const [before, after] = [await digest(source, table), await digest(target, table)];
  if (before.digest !== after.digest)
    throw new OperatorProblem(
      `The rows of ${table.name} are not the same on both sides (${before.rows} and ${after.rows}). Nothing was copied; ${target.label} is as it was.`,
    );
  return { name: table.name, ...after };
}

async function digest(side: CopySide, table: CopiedTable): Promise<{ rows: number; digest: string }> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of side.read(table)) {
    count += rows.length;
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
  }
  return { rows: count, digest: hash.digest('hex').slice(0, 16) };
}

async function connect(address: string): Promise<Client> {
  const client = new Client(connectionOf(address, statementMs));
  client.on('error', () => {});
  try {
    await client.connect();
    await refuseUnfitServer(client, nameOfDatabase(address));
    return client;
  } catch (cause) {
    await endClient(client);
    if (cause instanceof OperatorProblem) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorProblem(`The database ${nameOfDatabase(address)} cannot be reached: ${reason}.`, cause);
  }
}

async function refuseRunningGateways(client: Client, label: string): Promise<void> {
  const { rows } = await client.query(
    'SELECT id FROM gateways WHERE seen_at > extract(epoch FROM clock_timestamp()) * 1000 - 10000',
  );
  if (rows.length > 0)
    throw new OperatorProblem(`${rows.length} gateways serve from ${label}. Stop them first.`);
}

function refuseOtherSchema(missing: readonly number[], label: string): void {
  if (missing.length > 0)
    throw new OperatorProblem(
      `The database of ${label} is of an older version. Start this version on it once, then copy it.`,
    );
}
