import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface QueryOutcome {
  readonly rows: readonly unknown[];
  readonly affectedRows: number;
  readonly insertedId: number;
}

/** Runs one query after the other on one connection, in this thread or in another. */
export interface QueryRunner {
  run(query: Query): Promise<QueryOutcome>;
  close(): Promise<void>;
}

/** Statements prepared once are kept; the oldest is given up when there are more than this. */
const maxPreparedStatements = 200;

export function createStatementRunner(database: DatabaseSync): (query: Query) => QueryOutcome {
  const prepared = new Map<string, PreparedStatement>();

  function prepare(sql: string): PreparedStatement {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    const fresh = { statement, returnsRows: statement.columns().length > 0 };
    // What a search index numbers its parts with is beyond what a number holds.
    if (!fresh.returnsRows) statement.setReadBigInts(true);
    prepared.set(sql, fresh);
    if (prepared.size > maxPreparedStatements) forgetOldest(prepared);
    return fresh;
  }

  return ({ sql, parameters }) => {
    // A full disk makes SQLite roll back by itself; there is nothing left to do then.
    if (sql === 'rollback' && !database.isTransaction) return nothing;
    const { statement, returnsRows } = prepare(sql);
    const inputs = parameters.map(toInput);
    if (returnsRows) return { ...nothing, rows: statement.all(...inputs) };
    const { changes, lastInsertRowid } = statement.run(...inputs);
    return { rows: [], affectedRows: Number(changes), insertedId: Number(lastInsertRowid) };
  };
}

interface PreparedStatement {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

const nothing: QueryOutcome = { rows: [], affectedRows: 0, insertedId: 0 };

function forgetOldest(prepared: Map<string, PreparedStatement>): void {
  for (const oldest of prepared.keys()) {
    prepared.delete(oldest);
    return;
  }
}

function toInput(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === undefined ? null : (value as SQLInputValue);
}
