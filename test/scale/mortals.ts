import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '#harness/free-port';
import { type Gateway, startGateway } from '#harness/gateway';
import { send } from '#harness/http-client';
import { type PostgresServer, startPostgres } from '#harness/postgres';
import { waitUntil } from '#harness/wait-until';

/** Something that is killed as by a power cut, and comes back at its old place. */
export interface Mortal {
  readonly name: string;
  kill(): Promise<void>;
  /** Resolves when it serves again. */
  revive(): Promise<void>;
}

export interface MortalGateway extends Mortal {
  readonly url: string;
  readonly dataDir: string;
  readonly metricsUrl: string;
  /** Throws, with what it said, when it has ended though nobody killed it. */
  checkAlive(): Promise<undefined>;
}

/** Three gateways, one PostgreSQL and two engines, each of which may die. */
export interface MortalService extends AsyncDisposable {
  readonly gateways: readonly MortalGateway[];
  readonly engines: readonly Mortal[];
  readonly database: Mortal;
  readonly databaseAddress: string;
  /** What the engines have written down: `begun` and `ended`, each with a request id and a number of tokens. */
  engineBook(): readonly { readonly what: string; readonly id: string; readonly tokens: number }[];
}

/** An engine's name for a try ends with our id; before it stands which try it is. */
const requestIdLength = 36;
/** A start under load takes its time. */
const startMs = 600_000;
const mostStarts = 10;

/** Where a folder is given, everything that the gateways say is put down there. */
export async function startMortalService(logs?: string): Promise<MortalService> {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-chaos-'));
  const book = join(home, 'engines.book');
  writeFileSync(book, '');
  if (logs !== undefined) mkdirSync(logs, { recursive: true });
  const postgres = await startPostgres();
  const databaseAddress = await postgres.createDatabase();
  const engines = await Promise.all(['one', 'two'].map((name) => startEngine(name, book)));
  const settings = {
    database: databaseAddress,
    service: 'campus',
    log: { level: logs === undefined ? 'warn' : 'debug', format: 'json' },
    // One key plays a crowd.
    limits: { resume: { maxPerKey: 10_000, bytesPerKey: '64MiB' } },
    engines: engines.map(({ name, url }) => ({ name, kind: 'vllm', url, maxConcurrent: 1000 })),
    models: [{ id: 'm', engines: engines.map(({ name }) => name) }],
  };
  const gateways: (MortalGateway & { stop(): Promise<void> })[] = [];
  for (let number = 1; number <= 3; number += 1)
    gateways.push(await startMortalGateway(number, join(home, `gateway-${number}`), settings, logs));
  return {
    gateways,
    engines,
    database: mortalDatabase(postgres),
    databaseAddress,
    engineBook: () =>
      readFileSync(book, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [what = '', name = '', tokens] = line.split(' ');
          return { what, id: name.slice(-requestIdLength), tokens: Number(tokens) };
        }),
    async [Symbol.asyncDispose]() {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await Promise.all([...engines.map((engine) => engine.kill()), postgres.stop()]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Its book is a file that it appends to. */
export async function startEngine(name: string, book: string): Promise<Mortal & { readonly url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = fileURLToPath(new URL('chaos-engine.ts', import.meta.url));
  let child: ReturnType<typeof spawn> | undefined;
  process.once('exit', () => child?.kill('SIGKILL'));
  const engine = {
    name,
    url,
    async kill() {
      if (child === undefined) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      child = undefined;
    },
    async revive() {
      child = spawn(process.execPath, [program, String(port), book], { stdio: 'inherit' });
      await waitUntil(`engine ${name} answers`, () => answers(`${url}/v1/models`), startMs);
    },
  };
  await engine.revive();
  return engine;
}

async function startMortalGateway(
  number: number,
  dataDir: string,
  settings: object,
  logs: string | undefined,
): Promise<MortalGateway & { stop(): Promise<void> }> {
  const name = `gateway ${number}`;
  mkdirSync(dataDir, { recursive: true });
  const putDown = () => {
    if (logs !== undefined) appendFileSync(join(logs, `gateway-${number}.log`), gateway.logs());
  };
  const port = await freePort();
  const start = () =>
    startGateway({ settings: { ...settings, listen: `127.0.0.1:${port}` }, dataDir, readyWithinMs: startMs });
  let gateway: Gateway = await start();
  return {
    name,
    dataDir,
    url: gateway.url,
    metricsUrl: gateway.metricsUrl,
    async checkAlive() {
      const end = await Promise.race([gateway.exited, sleep(100, 'none' as const)]);
      if (end !== 'none') throw new Error(`${name} has ended by itself:\n${gateway.logs()}`);
      return undefined;
    },
    async kill() {
      await gateway.kill();
      putDown();
    },
    // As a supervisor does it: a database that is lost during a start ends it.
    async revive() {
      for (let attempt = 1; ; attempt += 1)
        try {
          gateway = await start();
          return;
        } catch (cause) {
          if (attempt === mostStarts) throw cause;
        }
    },
    async stop() {
      await gateway.stop();
      putDown();
    },
  };
}

function mortalDatabase(postgres: PostgresServer): Mortal {
  return { name: 'the database', kill: () => postgres.kill(), revive: () => postgres.start() };
}

async function answers(url: string): Promise<boolean> {
  return await send(url).then(
    ({ status }) => status === 200,
    () => false,
  );
}
