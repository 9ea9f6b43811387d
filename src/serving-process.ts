import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '#vocabulary/file-lock';

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

export function claimServing(dataDir: string): ServingProcess {
  const directory = directoryOf(dataDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
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
