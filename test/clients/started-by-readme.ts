import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { isAlive } from '#harness/is-alive';
import { waitUntil, within } from '#harness/wait-until';
import { repository } from './snippet-bench.ts';

/** The service as the README's own words start it, in a folder of its own and on a free port. */
export interface StartedService {
  /** Without a slash at the end. */
  readonly url: string;
  /** For everything else a reader does in the same terminal. */
  readonly env: Readonly<Record<string, string>>;
  printed(): string;
  stop(): Promise<number | null>;
}

export async function startAsReader(text: string, folder: string): Promise<StartedService> {
  const readyFile = join(folder, 'ready.json');
  const settingsFile = join(folder, 'gatehouse.yaml');
  await writeFile(settingsFile, '{}\n');
  const env = {
    PATH: `${await standInForNpm(folder)}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: process.env['HOME'] ?? folder,
    GATEHOUSE_SETTINGS: settingsFile,
    GATEHOUSE_DATA_DIR: join(folder, 'data'),
    GATEHOUSE_LISTEN: '127.0.0.1:0',
    GATEHOUSE_READY_FILE: readyFile,
  };
  // A group of its own, so that a signal reaches the shell, npm and the service as Ctrl-C in a terminal does.
  const child = spawn('sh', ['-c', text], { cwd: repository, env, detached: true });
  const exited = once(child, 'exit').then(([status]) => status as number | null);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => (printed += piece));
  const url = await waitUntil(
    'the service has started',
    async () => {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${printed}`);
      const ready = await readFile(readyFile, 'utf8').catch(() => '');
      return ready === '' ? undefined : (JSON.parse(ready) as { url: string }).url;
    },
    60_000,
  ).catch((cause: unknown) => {
    process.kill(-child.pid!, 'SIGKILL');
    throw new Error(`The service did not start:\n${printed}`, { cause });
  });
  return {
    url: url.replace(/\/$/, ''),
    env,
    printed: () => printed,
    stop: async () => {
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT');
      const status = await within('the service to end', exited);
      // A reader who restarted it has another process now, which no terminal knows.
      const { pid } = JSON.parse(await readFile(readyFile, 'utf8')) as { pid: number };
      if (isAlive(pid)) process.kill(pid, 'SIGINT');
      await waitUntil('its successor to end', () => !isAlive(pid));
      return status;
    },
  };
}

/**
 * The tree these tests run in is installed already, and tests that ran all tests would never end. Of npm's words
 * only these two are taken from it; the rest is npm's own.
 */
async function standInForNpm(folder: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const text = `#!/bin/sh\ncase "$1" in\n  install | test) echo "npm $1"; exit 0 ;;\nesac\nexec "${findOnPath('npm')}" "$@"\n`;
  await writeFile(join(bin, 'npm'), text, { mode: 0o755 });
  return bin;
}

function findOnPath(program: string): string {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return join(folder, program);
    } catch {
      continue;
    }
  }
  throw new Error(`This test needs ${program}, which is not on the PATH. Install it.`);
}
