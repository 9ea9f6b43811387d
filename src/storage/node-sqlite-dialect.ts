import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';

/** Statements prepared once are kept; the oldest is given up when there are more than this. */
const maxPreparedStatements = 200;
const busyRetryMs = 5;
const busyGiveUpMs = 10_000;

/**
 * Kysely over `node:sqlite`. The connection itself never sleeps on a lock (its busy timeout is zero): the wait
 * happens here, asynchronously, so that another writer delays one query and not the event loop.
 */
export function createNodeSqliteDialect(database: DatabaseSync): Dialect {
  return {
    createDriver: () => new NodeSqliteDriver(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}

/** Kysely hands the single connection to one user at a time, for the length of a transaction. */
class NodeSqliteDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: NodeSqliteConnection;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#connection = new NodeSqliteConnection(database);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  /** Immediate, because a lock that must be upgraded half way cannot be waited for. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  /** A full disk makes SQLite roll back by itself; there is nothing left to do then. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#database.close();
  }
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const giveUpAt = performance.now() + busyGiveUpMs;
    for (;;) {
      try {
        return this.#execute<Row>(query);
      } catch (cause) {
        if (!isBusy(cause) || this.#database.isTransaction || performance.now() > giveUpAt) throw cause;
        await pause(busyRetryMs);
      }
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    const { statement } = this.#prepare(query.sql);
    for (const row of statement.iterate(...toInputs(query.parameters))) yield { rows: [row as Row] };
  }

  #execute<Row>(query: CompiledQuery): QueryResult<Row> {
    const { statement, returnsRows } = this.#prepare(query.sql);
    const inputs = toInputs(query.parameters);
    if (returnsRows) return { rows: statement.all(...inputs) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...inputs);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #prepare(sql: string): PreparedStatement {
    let prepared = this.#statements.get(sql);
    if (prepared !== undefined) return prepared;
    const statement = this.#database.prepare(sql);
    prepared = { statement, returnsRows: statement.columns().length > 0 };
    this.#statements.set(sql, prepared);
    if (this.#statements.size > maxPreparedStatements) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    }
    return prepared;
  }
}

interface PreparedStatement {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

function toInputs(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (typeof value === 'boolean') return value ? 1 : 0;
    return value === undefined ? null : (value as SQLInputValue);
  });
}

const sqliteBusy = 5;

function isBusy(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('errcode' in cause)) return false;
  return (Number(cause.errcode) & 0xff) === sqliteBusy;
}
