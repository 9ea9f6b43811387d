import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { makePrivateFolder } from '#vocabulary/private-folder';

/**
 * A service has an id that nobody chose. It stands in the database and in the data directory of each gateway, so that
 * no directory, with its journal, is brought together with the database of another service by mistake. Beside it
 * stands a name from the settings, by which a gateway with a new directory shows that it was meant to join.
 */
export interface ServiceMarks {
  readonly id: string;
  /** Empty when no settings have named it yet. */
  readonly name: string;
}

export interface MarkedDatabase {
  /** For people. */
  readonly label: string;
  readMarks(): Promise<ServiceMarks | undefined>;
  /** Somebody else may have been faster: gives the marks that count. */
  claim(marks: ServiceMarks): Promise<ServiceMarks>;
  rename(name: string): Promise<void>;
}

const fileOf = (dataDir: string) => join(dataDir, 'service-id');

/**
 * For a database elsewhere. The first to come claims it; whoever comes later has been here before or knows its name.
 * Throws an `OperatorProblem` when the database and the directory do not belong together.
 */
export async function bindToService(
  dataDir: string,
  database: MarkedDatabase,
  name: string | undefined,
): Promise<void> {
  makePrivateFolder(dataDir);
  chmodSync(dataDir, 0o700);
  const known = readServiceName(dataDir);
  const found = await database.readMarks();
  if (existsSync(join(dataDir, 'gatehouse.db')) && (known === undefined || found === undefined))
    throw new OperatorProblem(
      `The data directory ${dataDir} holds a database of its own. Move it with "gatehouse database copy", or choose another directory.`,
    );
  const own = { id: known ?? randomUUID(), name: name ?? '' };
  const marks = found ?? (await database.claim(own));
  if (known !== undefined && known !== marks.id)
    throw new OperatorProblem(
      `The data directory ${dataDir} belongs to another service than the database ${database.label}. Correct one of the two; to begin anew, choose an empty directory.`,
    );
  if (own.id !== marks.id && name !== marks.id && (name === undefined || name !== marks.name))
    throw new OperatorProblem(stranger(dataDir, database.label, marks, name));
  // Whoever belongs here may call it by another name; who only knows its id has no say.
  if (name !== undefined && name !== marks.id && name !== marks.name) await database.rename(name);
  writeServiceName(dataDir, marks.id);
}

function stranger(dataDir: string, label: string, marks: ServiceMarks, name: string | undefined): string {
  const owner = marks.name === '' ? 'another service' : `the service "${marks.name}"`;
  const self = name === undefined ? 'does not say that it belongs there' : `is of "${name}"`;
  return `The database ${label} belongs to ${owner}, and this gateway, whose data directory ${dataDir} is new, ${self}. If it is to be one more gateway of that service, set "service: ${marks.name || marks.id}" (GATEHOUSE_SERVICE); if it is a service of its own, give it a database of its own.`;
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
