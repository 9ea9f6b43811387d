import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'undici';

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
}

const profile = {
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
  const child = fork(
    fileURLToPath(new URL('../src/engines/llama-cpp/child.ts', import.meta.url)),
    [JSON.stringify({ ...setup, socketPath, gpu: 'off', profiles: [profile] })],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
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
  const origin = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt += 1) {
    const isReady = await fetch(`${origin}/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isReady) break;
    if (attempt > 300 || child.exitCode !== null) throw new Error('llama-server did not start.');
    await sleep(100);
  }
  return {
    name: 'llama-server',
    processId: child.pid ?? 0,
    connect: () => new Client(origin),
    prefix: '',
    model: 'bench',
    stop: () => end(child),
  };
}

/** A gateway that is already running, to measure through its direct door. */
export function reachDoor(address: string, processId: number): EngineContender {
  const url = new URL(address);
  const path = url.pathname.replace(/\/(v1\/?)?$/, '');
  return {
    name: 'through the door',
    processId,
    connect: () => new Client(url.origin),
    prefix: path,
    model: path.split('/').at(-1) ?? '',
    stop: async () => {},
  };
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
