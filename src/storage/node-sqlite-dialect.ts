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
import type { QueryRunner } from './query-runner.ts';

/**
 * Kysely over `node:sqlite`, wherever the connection lives. Queries that only read need no transactions, and may
 * run side by side.
 */
export function createNodeSqliteDialect(
  runner: QueryRunner,
  queriesRun: 'one-by-one' | 'side-by-side' = 'one-by-one',
): Dialect {
  return {
    createDriver: () => new NodeSqliteDriver(runner),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => (queriesRun === 'one-by-one' ? new SqliteAdapter() : new ReadingAdapter()),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}

class ReadingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Kysely hands the single connection to one user at a time, for the length of a transaction. */
class NodeSqliteDriver implements Driver {
  readonly #connection: NodeSqliteConnection;

  constructor(runner: QueryRunner) {
    this.#connection = new NodeSqliteConnection(runner);
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

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(): Promise<void> {}

  /** The runner is closed by whoever opened it. */
  async destroy(): Promise<void> {}
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #runner: QueryRunner;

  constructor(runner: QueryRunner) {
    this.#runner = runner;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affectedRows, insertedId } = await this.#runner.run({ sql, parameters });
    return {
      rows: rows as Row[],
      numAffectedRows: BigInt(affectedRows),
      insertId: BigInt(insertedId),
    };
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }
}
