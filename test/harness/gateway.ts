import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { send } from './http-client.ts';
import { issueKey } from './key-office.ts';
import type { KeyOptions, MadeKey } from './key-office.ts';
import { waitUntil, within } from './wait-until.ts';

export interface GatewayOptions {
  /** Written as `gatehouse.yaml`. */
  readonly settings: object;
  readonly env?: Readonly<Record<string, string>>;
  /** Kept after `stop` when given, so that a second gateway can start on it. */
  readonly dataDir?: string;
  /** Words put before the command, such as those that enter a network namespace. They must hand over the process. */
  readonly through?: readonly string[];
  readonly readyWithinMs?: number;
}

/** The real program as a child process, with its real database, on a port of its own. */
export interface Gateway extends AsyncDisposable {
  readonly url: string;
  readonly metricsUrl: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly settingsFile: string;
  /** Everything written to stdout and stderr so far. */
  logs(): string;
  /** Replaces the settings file in one step, as a careful operator or tool would. */
  rewriteSettings(settings: object): Promise<void>;
  signal(name: NodeJS.Signals): void;
  readonly exited: Promise<number | null>;
  /** SIGTERM, then waits for the end. */
  stop(): Promise<void>;
  /** SIGKILL: nothing gets the chance to tidy up. */
  kill(): Promise<void>;
  createKey(options?: KeyOptions): Promise<MadeKey>;
  /** The command line, on the same data folder. */
  command(...words: string[]): Promise<{ stdout: string; stderr: string }>;
  /** The rows of the books as they stand now; a record may take a moment to get there. */
  usageRecords(): UsageRow[];
}

export interface UsageRow {
  readonly request_id: string;
  readonly started_at: number;
  readonly address: string;
  readonly door: string;
  readonly caller_kind: string;
  readonly network: string | null;
  readonly project: string | null;
  readonly key_id: string | null;
  readonly model: string;
  readonly engine: string | null;
  readonly endpoint: string;
  readonly ending: string;
  readonly status: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
  readonly is_estimated: number;
  readonly continuations: number;
}

const repository = new URL('../../', import.meta.url).pathname;

/** A test that fails before it has stopped its gateway leaves no process behind. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'gatehouse-test-')));
  const settingsFile = join(dataDir, 'gatehouse.yaml');
  const readyFile = join(dataDir, `ready-${process.hrtime.bigint()}.json`);
  await writeFile(settingsFile, stringify(options.settings));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: dataDir,
    GATEHOUSE_SETTINGS: settingsFile,
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_READY_FILE: readyFile,
    // As the launcher does it: with tens of starts in a test run it saves a minute.
    NODE_COMPILE_CACHE: join(repository, 'node_modules/.cache/compiled'),
    ...options.env,
  };
  const [program, ...words] = [...(options.through ?? []), process.execPath, 'src/main.ts'];
  const child = spawn(program, words, {
    cwd: repository,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const logs = collectLogs(child);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const cleanUp = async () => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  const ready = await waitUntil(
    'the gateway is ready',
    async () => {
      if (child.exitCode !== null) throw new Error(`The gateway ended with ${child.exitCode}:\n${logs()}`);
      return await readReady(readyFile);
    },
    options.readyWithinMs ?? 120_000,
  ).catch(async (cause: unknown) => {
    child.kill('SIGKILL');
    await cleanUp();
    throw new Error(`The gateway did not start:\n${logs()}`, { cause });
  });

  const endWith = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    try {
      await within('the gateway to end', exited);
    } finally {
      child.kill('SIGKILL');
      await cleanUp();
    }
  };
  const command = async (...words: string[]) =>
    await promisify(execFile)(process.execPath, [join(repository, 'src/cli/cli.ts'), ...words], {
      cwd: repository,
      env,
    });

  return {
    url: ready.url.replace(/\/$/, ''),
    metricsUrl: ready.metricsUrl,
    dataDir,
    pid: child.pid ?? 0,
    settingsFile,
    logs,
    rewriteSettings: (settings) => writeFile(settingsFile, stringify(settings)),
    signal: (name) => void child.kill(name),
    exited,
    stop: () => endWith('SIGTERM'),
    kill: () => endWith('SIGKILL'),
    createKey: async (key = {}) => {
      const { database } = options.settings as { readonly database?: string };
      const made = await issueKey(dataDir, key, database);
      const headers = { authorization: `bearer ${made.secret}` };
      await waitUntil('the gateway has learnt of the key and of its project', async () => {
        const answer = await send(`${ready.url}/api/models`, { headers });
        if (/is not a member any more/.test(answer.text)) return false;
        return answer.status !== 401 || /may not be used from/.test(answer.text);
      });
      return made;
    },
    command,
    usageRecords: () => readUsageRecords(dataDir),
    [Symbol.asyncDispose]: () => endWith('SIGTERM'),
  };
}

/** Read from the database file itself, as an auditor would. */
function readUsageRecords(dataDir: string): UsageRow[] {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true, timeout: 5000 });
  try {
    return database.prepare('SELECT * FROM usage_records ORDER BY started_at').all() as unknown as UsageRow[];
  } finally {
    database.close();
  }
}

interface Ready {
  readonly url: string;
  readonly pid: number;
  readonly metricsUrl: string;
}

async function readReady(file: string): Promise<Ready | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Ready;
  } catch {
    return undefined;
  }
}

function collectLogs(child: ChildProcess): () => string {
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (text: string) => parts.push(text));
  }
  return () => parts.join('');
}
