import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorProblem } from '#vocabulary/operator-problem';

/**
 * A service has a name that nobody chose. It stands in the database and in the data directory of each gateway, so
 * that no directory, with its journal, is brought together with the database of another service by mistake.
 */
export interface NamedDatabase {
  /** For people. */
  readonly label: string;
  readName(): Promise<string | undefined>;
  /** Somebody else may have been faster: gives the name that counts. */
  writeName(name: string): Promise<string>;
}

const fileOf = (dataDir: string) => join(dataDir, 'service-id');

/** For a database elsewhere. Throws an `OperatorProblem` when it and the directory do not belong together. */
export async function bindToService(dataDir: string, database: NamedDatabase): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  const known = readServiceName(dataDir);
  const found = await database.readName();
  if (existsSync(join(dataDir, 'gatehouse.db')) && (known === undefined || found === undefined))
    throw new OperatorProblem(
      `The data directory ${dataDir} holds a database of its own. Move it with "gatehouse database copy", or choose another directory.`,
    );
  const name = found ?? (await database.writeName(known ?? randomUUID()));
  if (known !== undefined && known !== name)
    throw new OperatorProblem(
      `The data directory ${dataDir} belongs to another service than the database ${database.label}. Correct one of the two; to begin anew, choose an empty directory.`,
    );
  writeServiceName(dataDir, name);
}

export function readServiceName(dataDir: string): string | undefined {
  const file = fileOf(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

export function writeServiceName(dataDir: string, name: string): void {
  if (readServiceName(dataDir) !== name) writeFileSync(fileOf(dataDir), `${name}\n`, { mode: 0o600 });
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
