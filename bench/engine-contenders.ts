import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'undici';
import { type EngineConfiguration, startEngine } from '#engine';

/** Something that writes text over the OpenAI wire. */
export interface EngineContender {
  readonly name: string;
  readonly processId: number;
  connect(): Client;
  /** Before `/v1`. */
  readonly prefix: string;
  readonly model: string;
  stop(): Promise<void>;
}

export interface EngineSetup {
  readonly modelFile: string;
  readonly threads: number;
  readonly slots: number;
  readonly contextTokens: number;
  readonly gpu: EngineConfiguration['gpu'];
}

const profile: EngineConfiguration['profiles'][number] = {
  id: 'bench',
  reasoning: 'none',
  supportsTools: true,
  supportsReasoningEffort: false,
  defaultReasoningEffort: 'medium',
  templateKwargs: { enable_thinking: false },
  samplingDefaults: {},
};

export async function startOurs(setup: EngineSetup): Promise<EngineContender> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const socketPath = join(folder, 'engine.sock');
  const child = startEngine({ ...setup, listen: { socketPath }, profiles: [profile] });
  child.stderr?.pipe(process.stderr);
  beAsNiceAsBehindTheDoor(child);
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`The engine ended with ${code}.`)));
  });
  return {
    name: 'Gatehouse engine',
    processId: child.pid ?? 0,
    connect: () => new Client('http://localhost', { socketPath }),
    prefix: '',
    model: 'bench',
    stop: async () => {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function startLlamaServer(binary: string, setup: EngineSetup): Promise<EngineContender> {
  const port = await freePort();
  const child = spawn(
    binary,
    [
      ['-m', setup.modelFile],
      ['-t', String(setup.threads)],
      ['-tb', String(setup.threads)],
      ['-np', String(setup.slots)],
      ['-c', String(setup.contextTokens * setup.slots)],
      ['--host', '127.0.0.1'],
      ['--port', String(port)],
    ].flat(),
    { stdio: 'ignore' },
  );
  beAsNiceAsBehindTheDoor(child);
  const origin = `http://127.0.0.1:${port}`;
  await untilHealthy('llama-server', `${origin}/health`, child);
  return {
    name: 'llama-server',
    processId: child.pid ?? 0,
    connect: () => new Client(origin),
    prefix: '',
    model: 'bench',
    stop: () => end(child),
  };
}

/** The whole service as `npm start` runs it, measured through its direct door. */
export async function startDoor(setup: EngineSetup): Promise<EngineContender> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const port = await freePort();
  const { modelFile, threads, slots, contextTokens: context, gpu } = setup;
  const settings = {
    listen: `127.0.0.1:${port}`,
    log: { level: 'warn', format: 'json' },
    engines: [{ name: 'pocket', kind: 'embedded', modelFile, threads, context, maxConcurrent: slots, gpu }],
    models: [{ id: 'bench', path: 'bench', engines: ['pocket'], template: { enable_thinking: false } }],
  };
  // YAML reads JSON.
  writeFileSync(join(dataDir, 'gatehouse.yaml'), JSON.stringify(settings));
  const child = spawn(process.execPath, [...startFlags, 'bin/gatehouse.js', 'start'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      ...process.env,
      GATEHOUSE_SETTINGS: join(dataDir, 'gatehouse.yaml'),
      GATEHOUSE_DATA_DIR: dataDir,
    },
    stdio: 'ignore',
  });
  const origin = `http://127.0.0.1:${port}`;
  await untilHealthy('The service', `${origin}/bench/v1/models`, child);
  return {
    name: 'through the door',
    processId: child.pid ?? 0,
    connect: () => new Client(origin),
    prefix: '/bench',
    model: 'bench',
    stop: async () => {
      await end(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** As `npm start` has them. */
const startFlags = ['--min-semi-space-size=32', '--max-semi-space-size=64'];

/** The service gives its engine this niceness; a fair race gives it to everybody, before threads are made. */
function beAsNiceAsBehindTheDoor(child: ChildProcess): void {
  setPriority(child.pid ?? 0, 5);
}

async function untilHealthy(name: string, url: string, child: ChildProcess): Promise<void> {
  const giveUpMs = performance.now() + 60_000;
  while (performance.now() < giveUpMs && child.exitCode === null) {
    const isReady = await fetch(url).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isReady) return;
    await sleep(10);
  }
  throw new Error(`${name} did not start.`);
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port.');
  return address.port;
}
