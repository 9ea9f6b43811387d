import { createHash } from 'node:crypto';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, type ClientConfig, Pool, type PoolClient, type QueryConfig, types } from 'pg';
import { isOutOfReach, unreachable } from './reach.ts';

export interface PoolParts {
  readonly address: string;
  readonly connections: number;
  /** How long one statement may take; the connection of one that takes longer is given up. */
  readonly statementMs: number;
  /** What one statement may sort and add up in memory, where that is to be more than the server gives everybody. */
  readonly workMemory?: '16MB';
}

/** How long somebody waits for a connection, a new one or one that others use. */
const connectMs = 5_000;
/** The server ends a statement itself; when it is too far gone for that, so do we, a little later. */
const graceMs = 1_000;
const idleMs = 60_000;
const goodbyeMs = 2_000;

export function connectionOf(address: string, statementMs: number): ClientConfig {
  return {
    connectionString: address,
    application_name: 'gatehouse',
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + graceMs,
    idle_in_transaction_session_timeout: statementMs,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/** Connections for Kysely: prepared statements, deadlines, and one kind of refusal for every way to be out of reach. */
export function createPostgresPool({
  address,
  connections,
  statementMs,
  workMemory,
}: PoolParts): PostgresPool {
  const pool = new Pool({
    ...connectionOf(address, statementMs),
    max: connections,
    idleTimeoutMillis: idleMs,
    allowExitOnIdle: true,
  });
  // A connection that breaks while nobody uses it is replaced when somebody wants one.
  pool.on('error', () => {});
  // A server may say its last words behind its welcome, when nobody could listen to this connection yet.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    if (workMemory !== undefined) client.query(`SET work_mem = '${workMemory}'`).catch(() => {});
  });
  return {
    async connect() {
      try {
        return guarded(await pool.connect());
      } catch (cause) {
        throw isOutOfReach(cause) ? unreachable(cause) : cause;
      }
    },
    end: () => noLongerThan(pool.end()),
    options: {},
  };
}

/** A server that answers nothing any more does not say goodbye either. */
export async function endClient(client: Client): Promise<void> {
  await noLongerThan(client.end());
}

async function noLongerThan(ended: Promise<void>): Promise<void> {
  await Promise.race([ended.catch(() => {}), pause(goodbyeMs, undefined, { ref: false })]);
}

function guarded(client: PoolClient): PostgresPoolClient {
  let failure: Error | undefined;
  // Between two statements nobody waits for an answer, and an error that nobody hears would end the process.
  const noteLoss = (cause: Error) => {
    failure ??= unreachable(cause);
  };
  client.on('error', noteLoss);
  async function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    if (failure !== undefined) throw failure;
    try {
      return (await client.query(toStatement(text, values))) as unknown as PostgresQueryResult<Row>;
    } catch (cause) {
      if (isOfOldSchema(cause)) {
        names.clear();
        schemas += 1;
        return (await client.query(toStatement(text, values))) as unknown as PostgresQueryResult<Row>;
      }
      if (!isOutOfReach(cause)) throw cause;
      failure = unreachable(cause);
      throw failure;
    }
  }
  return {
    query: query as PostgresPoolClient['query'],
    // What is still on its way over a connection that failed must not be taken for the answer to the next question.
    release() {
      client.off('error', noteLoss);
      client.release(failure);
    },
  };
}

function toStatement(text: string, values: readonly unknown[]): QueryConfig {
  if (values.length === 0) return { text };
  const name = nameOf(text);
  return { text, values: values.map(toInput), ...(name !== undefined && { name }) };
}

/** A gateway of a newer version has changed a table beneath a statement that was prepared before. */
function isOfOldSchema(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === '0A000';
}

/** Statements are prepared once on each connection. The texts are those of the stores: as many as there are queries. */
const names = new Map<string, string>();
const maxNames = 500;
/** How often the schema has changed while we looked: a name that was used before would mean the old one. */
let schemas = 0;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxNames) return known;
  const name = createHash('sha256').update(`${schemas} ${text}`).digest('base64url').slice(0, 20);
  names.set(text, name);
  return name;
}

/** PostgreSQL has no text with a zero in it, and true and false are numbers in our tables. */
function toInput(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Whole numbers of 64 bits and sums of them: ours are all safe. */
const numberTypes: ReadonlySet<number> = new Set([types.builtins.INT8, types.builtins.NUMERIC]);

function getTypeParser(type: number, format?: 'text' | 'binary') {
  return numberTypes.has(type) ? Number : types.getTypeParser(type, format);
}
