import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '#vocabulary/logger';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { bindToService, type MarkedDatabase, newSecret, type ServiceMarks } from '../service-identity.ts';
import type { SchemaStanding } from '../migrate.ts';
import { migratePostgres, readPostgresStanding } from './migrate-postgres.ts';
import { connectionOf, endClient } from './postgres-pool.ts';
import { isOutOfReach } from './reach.ts';

/** What starts beside us may need a moment longer. */
const giveUpAfterMs = 20_000;
/** A server that breaks off in the middle is tried again for so long. */
const lostOnTheWayMs = 60_000;
const tryAgainMs = 500;
/** A step of the schema may rewrite a large table. */
const migrationMs = 600_000;
const inspectionMs = 5_000;
const oldestVersion = 15;

/**
 * Looks at the server, brings the schema up to date and sees to it that this database and this data directory belong
 * together. Gives the secret of the service. Throws an `OperatorProblem` in one sentence when that cannot be.
 */
export async function preparePostgres(
  address: string,
  dataDir: string,
  service: string | undefined,
  logger: Logger,
): Promise<string> {
  const name = nameOfDatabase(address);
  const giveUpAt = performance.now() + lostOnTheWayMs;
  for (;;) {
    const client = await connect(address, name, logger);
    try {
      await refuseUnfitServer(client, name);
      await migratePostgres(client, name, logger);
      await bindToService(dataDir, { label: name, ...marksIn(client) }, service);
      return await ensureSecret(client);
    } catch (cause) {
      if (cause instanceof OperatorProblem) throw cause;
      // Whatever was not committed did not happen: it begins anew.
      if (!isLost(cause) || performance.now() > giveUpAt) throw explained(cause, name);
      logger.warn({ database: name, error: cause }, 'the database was lost during the start: waiting for it');
    } finally {
      await endClient(client);
    }
    await pause(tryAgainMs);
  }
}

/** How its schema compares with ours. Changes nothing. Throws an `OperatorProblem` when it cannot be used. */
export async function inspectPostgres(address: string): Promise<SchemaStanding> {
  const name = nameOfDatabase(address);
  const client = new Client(connectionOf(address, inspectionMs));
  client.on('error', () => {});
  try {
    await client.connect();
    await refuseUnfitServer(client, name);
    return await readPostgresStanding(client, name);
  } catch (cause) {
    throw cause instanceof OperatorProblem ? cause : explained(cause, name);
  } finally {
    await endClient(client);
  }
}

/** The connection broke; what the server itself refuses (a full disk, no rights to write) waiting does not mend. */
function isLost(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return isOutOfReach(cause) && !/^(?:25006|53...|57014)$/.test(code);
}

function marksIn(client: Client): Omit<MarkedDatabase, 'label'> {
  const readMarks = async () => {
    const { rows } = await client.query<ServiceMarks>('SELECT id, name FROM service');
    return rows[0];
  };
  return {
    readMarks,
    async claim(marks) {
      await client.query('INSERT INTO service (place, id, name) VALUES (1, $1, $2) ON CONFLICT DO NOTHING', [
        marks.id,
        marks.name,
      ]);
      return (await readMarks()) ?? marks;
    },
    async rename(name) {
      await client.query('UPDATE service SET name = $1', [name]);
    },
  };
}

async function ensureSecret(client: Client): Promise<string> {
  await client.query("UPDATE service SET secret = $1 WHERE secret = ''", [newSecret()]);
  const { rows } = await client.query<{ secret: string }>('SELECT secret FROM service');
  return rows[0]?.secret ?? newSecret();
}

/** Without the password. */
export function nameOfDatabase(address: string): string {
  const { host, pathname } = new URL(address);
  return `${pathname.slice(1) || 'postgres'} on ${host || 'this machine'}`;
}

async function connect(address: string, name: string, logger: Logger): Promise<Client> {
  const giveUpAt = performance.now() + giveUpAfterMs;
  for (let hasWaited = false; ; hasWaited = true) {
    const client = new Client(connectionOf(address, migrationMs));
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (cause) {
      await endClient(client);
      if (!isOutOfReach(cause) || performance.now() > giveUpAt) throw explained(cause, name);
      if (!hasWaited) logger.warn({ database: name }, 'waiting for the database');
      await pause(tryAgainMs);
    }
  }
}

interface ServerFacts {
  readonly version: number;
  readonly encoding: string;
  readonly is_read_only: boolean;
}

export async function refuseUnfitServer(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<ServerFacts>(`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
      pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only`);
  const [facts] = rows;
  if (facts === undefined) return;
  const version = Math.floor(facts.version / 10_000);
  if (version < oldestVersion)
    throw new OperatorProblem(
      `The database ${name} is served by PostgreSQL ${version}. Gatehouse needs ${oldestVersion} or newer.`,
    );
  if (facts.encoding !== 'UTF8')
    throw new OperatorProblem(
      `The database ${name} is encoded as ${facts.encoding}. Make one with ENCODING 'UTF8'.`,
    );
  if (facts.is_read_only)
    throw new OperatorProblem(
      `The database ${name} is read-only, perhaps a standby. Name the server that takes changes.`,
    );
}

const meanings: Readonly<Record<string, string>> = {
  '28P01': 'The password is wrong.',
  '28000': 'The server does not let this user in from here; see its pg_hba.conf.',
  '3D000': 'There is no such database; make it first (CREATE DATABASE).',
  '42501': 'The user may not make tables there; give it the rights of the owner.',
  '25006': 'It is read-only.',
  '53100': 'The disk of the server is full.',
  '53300': 'The server has no connection left; raise its max_connections.',
  ECONNREFUSED: 'Nothing listens there; start the server or correct the address.',
  ENOTFOUND: 'Its host is not known; correct the address.',
  EHOSTUNREACH: 'There is no way to its host; correct the address or the network.',
  '57014': 'It is too slow: a step of the schema took longer than ten minutes.',
  '57P03': 'It is starting or stopping; start Gatehouse again when it is up.',
};

function explained(cause: unknown, name: string): OperatorProblem {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
  const isSilent = /^(?:Query read timeout|timeout e|Connection terminated due to connection timeout)/.test(
    reason,
  );
  const meaning = isSilent ? 'It takes connections and does not answer; look at the server.' : meanings[code];
  return new OperatorProblem(
    `The database ${name} cannot be used (GATEHOUSE_DATABASE). ${meaning ?? reason}`,
    cause,
  );
}
