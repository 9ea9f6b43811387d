import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitUntil } from '#harness/wait-until';
import { cacheFolder } from '#harness/python-environment';

export interface EngineProcess {
  logs(): string;
  stop(): Promise<void>;
}

/** Starts an engine below everything else on the machine and waits until it says that it is well. */
export async function startEngineProcess(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  url: string,
): Promise<EngineProcess> {
  const child = spawn('nice', ['-n', '15', program, ...words], {
    cwd: cacheFolder,
    env: { PATH: process.env['PATH'] ?? '', HOME: cacheFolder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Engines have children of their own; all of them end together.
    detached: true,
  });
  let tail = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-20_000)));
  const exited = once(child, 'exit');
  const end = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, signal);
  };
  const stop = async () => {
    end('SIGTERM');
    const impatience = setTimeout(() => end('SIGKILL'), 20_000);
    await exited;
    clearTimeout(impatience);
  };
  // Nothing is left behind, whoever ends the suite.
  process.on('exit', () => end('SIGKILL'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  try {
    await waitUntil(
      `${url} is well`,
      async () => {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
        return await fetch(`${url}/health`).then(
          ({ status }) => status === 200,
          () => false,
        );
      },
      900_000,
    );
  } catch (cause) {
    await stop();
    throw new Error(`The engine did not start:\n${tail}`, { cause });
  }
  return { logs: () => tail, stop };
}
