import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readSchemaStanding, type SchemaStanding } from './migrate.ts';

/** The database of a data directory, seen from outside. */
export interface DatabaseStanding {
  readonly path: string;
  readonly bytes: number;
  readonly schema: SchemaStanding;
}

/** Undefined when there is none yet. Changes nothing. Throws when it cannot be read. */
export function inspectDatabase(dataDir: string): DatabaseStanding | undefined {
  const path = join(dataDir, 'gatehouse.db');
  if (!existsSync(path)) return undefined;
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return { path, bytes: statSync(path).size, schema: readSchemaStanding(database) };
  } finally {
    database.close();
  }
}
