import type { DatabaseSync } from 'node:sqlite';

/** One table as a copy sees it: what to read, and in which order, so that both sides can be compared row by row. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly orderedBy: readonly string[];
}

export type CopiedValue = string | number | null;

/** Steps of the schema are made anew; who lives is nobody's heritage; search indexes are filled from the texts. */
const left = /^(?:sqlite_|migrations$|gateways$|gateway_news$|backup_notes$|\w+_search)/;

/** Every table, those that others refer to first. Read from SQLite, which is always one of the two sides. */
export function planTables(database: DatabaseSync): readonly CopiedTable[] {
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map((row) => String(row['name']))
    .filter((name) => !left.test(name));
  const ordered: string[] = [];
  const visit = (name: string): void => {
    if (ordered.includes(name)) return;
    for (const row of database.prepare(`PRAGMA foreign_key_list(${name})`).all())
      if (row['table'] !== name) visit(String(row['table']));
    ordered.push(name);
  };
  for (const name of names) visit(name);
  return ordered.map((name) => describe(database, name));
}

function describe(database: DatabaseSync, name: string): CopiedTable {
  const info = database.prepare(`PRAGMA table_info(${name})`).all();
  const columns = info.map((row) => String(row['name']));
  const keys = info.filter((row) => Number(row['pk']) > 0).map((row) => String(row['name']));
  return { name, columns, orderedBy: keys.length > 0 ? keys : columns };
}

/** One manner of writing for both sides. PostgreSQL has no text with a zero in it. */
export function toCopied(value: unknown): CopiedValue {
  if (value === null || typeof value === 'number') return value;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (typeof value !== 'string') throw new TypeError(`a ${typeof value} cannot be copied`);
  return value.replaceAll('\0', '\uFFFD');
}
