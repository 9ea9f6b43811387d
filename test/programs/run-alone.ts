import { spawn } from 'node:child_process';

export interface AloneRun {
  readonly status: number | null;
  /** Everything that it said. */
  readonly said: string;
}

/** Runs a program with no variable of ours and no way out of this machine: elsewhere is a port where nobody listens. */
export function runAlone(
  program: string,
  words: readonly string[],
  place: { readonly home: string; readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): Promise<AloneRun> {
  const child = spawn(program, words, {
    cwd: place.folder,
    env: { ...aloneEnvironment(place.home), ...place.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 240_000,
    killSignal: 'SIGKILL',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => (said += piece));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, said }));
  });
}

/** What such a program may know of this machine. */
export function aloneEnvironment(home: string): Record<string, string> {
  const nowhere = 'http://127.0.0.1:9';
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  };
}
