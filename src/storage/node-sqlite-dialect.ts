import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type SelectModifierNode,
} from 'kysely';
import type { QueryRunner } from './query-runner.ts';

export interface Runners {
  readonly writer: QueryRunner;
  /** For whatever only reads, outside of transactions: it waits for nobody who writes. May be the writer itself. */
  readonly reader: QueryRunner;
}

/** Kysely over `node:sqlite`, wherever the connections live. */
export function createNodeSqliteDialect(runners: Runners): Dialect {
  return {
    createDriver: () => new NodeSqliteDriver(runners),
    createQueryCompiler: () => new OneWriterCompiler(),
    createAdapter: () => new ManyReadersAdapter(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}

class ManyReadersAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** There is one writer at a time: rows need no locks of their own (`for update`). */
class OneWriterCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate') super.visitSelectModifier(node);
  }
}

class NodeSqliteDriver implements Driver {
  readonly #runners: Runners;
  readonly #turns = new WritersTurns();

  constructor(runners: Runners) {
    this.#runners = runners;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<NodeSqliteConnection> {
    return new NodeSqliteConnection(this.#runners, this.#turns);
  }

  /** Immediate, because a lock that must be upgraded half way cannot be waited for. */
  async beginTransaction(connection: NodeSqliteConnection): Promise<void> {
    await connection.holdTurn();
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: NodeSqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: NodeSqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(connection: NodeSqliteConnection): Promise<void> {
    connection.giveTurnBack();
  }

  /** The runners are closed by whoever opened them. */
  async destroy(): Promise<void> {}
}

/** The one connection that writes belongs to one user at a time, for a statement or the length of a transaction. */
class WritersTurns {
  #last = Promise.resolve();

  /** Gives the function that ends the turn. */
  async take(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return resolve;
  }
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #runners: Runners;
  readonly #turns: WritersTurns;
  #endTurn: (() => void) | undefined;

  constructor(runners: Runners, turns: WritersTurns) {
    this.#runners = runners;
    this.#turns = turns;
  }

  async holdTurn(): Promise<void> {
    this.#endTurn = await this.#turns.take();
  }

  giveTurnBack(): void {
    this.#endTurn?.();
    this.#endTurn = undefined;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#endTurn !== undefined) return await run(this.#runners.writer, query);
    if (/^\s*(?:select|with)\b/i.test(query.sql)) return await run(this.#runners.reader, query);
    const endTurn = await this.#turns.take();
    try {
      return await run(this.#runners.writer, query);
    } finally {
      endTurn();
    }
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }
}

async function run<Row>(runner: QueryRunner, { sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
  const { rows, affectedRows, insertedId } = await runner.run({ sql, parameters });
  return { rows: rows as Row[], numAffectedRows: BigInt(affectedRows), insertId: BigInt(insertedId) };
}
