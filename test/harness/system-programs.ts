import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

type Wanted = readonly (readonly [program: string, packageName: string])[];

/** Debian keeps servers where only root's shell looks. */
export const searchPath = [process.env['PATH'] ?? '', '/usr/local/sbin', '/usr/sbin', '/sbin'].join(
  delimiter,
);

/** Installs what is missing where that is possible, and gives a few words for each thing that still is. */
export function missingPrograms(wanted: Wanted): string[] {
  const absent = () => wanted.filter(([program]) => findProgram(program) === undefined);
  if (absent().length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install(absent());
  return absent().map(([program, packageName]) => `${program} (Debian package ${packageName})`);
}

/** Where a program of the system lies. */
export function systemProgram(program: string): string {
  const path = findProgram(program);
  if (path === undefined) throw new Error(`This machine has no ${program}.`);
  return path;
}

export function findProgram(program: string): string | undefined {
  return searchPath
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

const startPolicy = '/usr/sbin/policy-rc.d';

/** Programs only: the policy file keeps Debian from starting the servers among them. */
function install(absent: Wanted): void {
  const packages = absent.map(([, packageName]) => packageName);
  process.stderr.write(`Installing ${packages.join(', ')} with apt-get.\n`);
  const hadPolicy = existsSync(startPolicy);
  if (!hadPolicy) writeFileSync(startPolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const words = ['install', '--yes', '--no-install-recommends', ...packages];
    if (!aptGet(words)) {
      aptGet(['update']);
      aptGet(words);
    }
  } finally {
    if (!hadPolicy) rmSync(startPolicy, { force: true });
  }
}

function aptGet(words: readonly string[]): boolean {
  const { status, output } = runProgram('apt-get', ['--quiet', ...words], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) process.stderr.write(output);
  return status === 0;
}

/** What a program wrote and how it ended. */
export function runProgram(
  program: string,
  words: readonly string[],
  { folder, env = {} }: { readonly folder?: string; readonly env?: Readonly<Record<string, string>> } = {},
): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    env: { ...process.env, PATH: searchPath, ...env },
    ...(folder !== undefined && { cwd: folder }),
  });
  return { status, output: `${stdout}${stderr}` };
}
