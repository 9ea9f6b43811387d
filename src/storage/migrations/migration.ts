/** One step of the schema. Steps that have landed never change; a new need is a new number. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}
