/** One step of the schema. Steps that have landed never change; a new need is a new number. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** In the words of SQLite. PostgreSQL gets the same, translated by `postgres/to-postgres.ts`, unless it needs its own. */
  readonly sql: string;
  readonly postgres?: string;
}
