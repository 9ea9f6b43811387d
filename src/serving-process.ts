import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '#vocabulary/file-lock';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { makePrivateFolder } from '#vocabulary/private-folder';

/** How a handing over went, for whoever asked for it. */
export type HandoverResult =
  | { readonly isDone: true; readonly processId: number; readonly note: string }
  | { readonly isDone: false; readonly reason: string };

/** This process as others find it in the data folder: a file with its number, locked while it serves. */
export interface ServingProcess {
  tell(result: HandoverResult): void;
  /** From now on others look for the next one. May be said twice. */
  leave(): void;
}

/**
 * Throws when another service serves from this folder, or is about to: two that know nothing of each other would count
 * limits and the line each for itself. Held until this one serves, or has failed.
 */
export function claimStart(dataDir: string): Disposable {
  const directory = directoryOf(dataDir);
  let held: ReturnType<typeof lockFile>;
  try {
    makePrivateFolder(directory);
    held = lockFile(join(directory, 'start.lock'), 0);
  } catch {
    // Whoever opens the database says what is wrong with the folder.
    return { [Symbol.dispose]() {} };
  }
  const processId = findServing(dataDir);
  if (held !== undefined && processId === undefined) return { [Symbol.dispose]: () => held.close() };
  held?.close();
  const [state, stopIt] =
    processId === undefined
      ? ['is being started', 'stop that one']
      : [`serves (process ${processId})`, `stop that one (kill ${processId})`];
  throw new OperatorProblem(
    `Another service ${state} from the data folder ${dataDir}. To put this program in its place without losing an answer, run \`gatehouse restart\`; otherwise ${stopIt} first, or give this one a folder of its own with GATEHOUSE_DATA_DIR.`,
  );
}

export function claimServing(dataDir: string): ServingProcess {
  const directory = directoryOf(dataDir);
  makePrivateFolder(directory);
  const file = join(directory, `${process.pid}.lock`);
  let held = lockFile(file, 0);
  return {
    tell(result) {
      const written = join(directory, `${process.pid}.written`);
      writeFileSync(written, JSON.stringify(result), { mode: 0o600 });
      renameSync(written, resultFile(dataDir, process.pid));
    },
    leave() {
      if (held === undefined) return;
      rmSync(file, { force: true });
      held.close();
      held = undefined;
    },
  };
}

/** The process that began to serve last and lives; files of dead ones are removed. */
export function findServing(dataDir: string): number | undefined {
  const directory = directoryOf(dataDir);
  const files = listed(directory)
    .filter((name) => /^\d+\.lock$/.test(name))
    .map((name) => join(directory, name))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const file of files) {
    const left = lockFile(file, 0);
    if (left === undefined) return Number(/(\d+)\.lock$/.exec(file)?.[1]);
    rmSync(file, { force: true });
    left.close();
  }
  return undefined;
}

export function readResult(dataDir: string, processId: number): HandoverResult | undefined {
  try {
    return JSON.parse(readFileSync(resultFile(dataDir, processId), 'utf8')) as HandoverResult;
  } catch {
    return undefined;
  }
}

export function forgetResult(dataDir: string, processId: number): void {
  rmSync(resultFile(dataDir, processId), { force: true });
}

function resultFile(dataDir: string, processId: number): string {
  return join(directoryOf(dataDir), `${processId}.result`);
}

function directoryOf(dataDir: string): string {
  return join(dataDir, 'serving');
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
