import { execFile, execFileSync, fork, spawn } from 'node:child_process';
import type { ChildProcess, ForkOptions } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { searchPath, systemProgram } from '#harness/system-programs';

/** A computer of its own as far as networks are concerned: a namespace with its interfaces and its hosts file. */
export interface Host {
  readonly name: string;
  /** Words to put before a command that shall run here. */
  readonly entry: readonly string[];
  run(program: string, ...words: string[]): Promise<string>;
  /** Runs until it is killed or everything is torn down. */
  start(program: string, ...words: string[]): ChildProcess;
  fork(module: string, options: ForkOptions): ChildProcess;
  /** Replaces the entries of the hosts file, also for programs that already run. */
  writeHostsFile(entries: readonly string[]): void;
}

export type HostName = 'router' | 'server' | 'instance' | 'front' | 'laptop';

export interface Hosts extends Readonly<Record<HostName, Host>>, Disposable {
  /** For keys, settings and data; goes with the hosts. */
  readonly folder: string;
}

/**
 * Two networks and a router between them, unconnected to anything else:
 *
 *   inside  10.77.0.0/24 fd77::/64   .1 router  .2 server  .3 instance  .4 front
 *   outside 10.88.0.0/24 fd88::/64   .1 router  .2 laptop  .3 instance
 *
 * The instance has a leg in both; the router translates no addresses, so the server sees who truly calls.
 */
export function createHosts(): Hosts {
  sweepAbandoned();
  const prefix = `gatehouse-${process.pid}-`;
  const folder = folderOf(process.pid);
  const dispose = () => tearDown(process.pid);
  try {
    mkdirSync(folder, { mode: 0o755 });
    const [router, server, instance, front, laptop] = [
      createHost(`${prefix}router`),
      createHost(`${prefix}server`),
      createHost(`${prefix}instance`),
      createHost(`${prefix}front`),
      createHost(`${prefix}laptop`),
    ];
    configure(router, [
      'link add inside type bridge',
      'link add outside type bridge',
      ...['inside', 'outside'].map((bridge) => `link set ${bridge} up`),
      ...addresses('inside', '10.77.0.1', 'fd77::1'),
      ...addresses('outside', '10.88.0.1', 'fd88::1'),
    ]);
    for (const knob of ['net/ipv4/ip_forward', 'net/ipv6/conf/all/forwarding'])
      execFileSync(
        systemProgram('ip'),
        [...router.entry.slice(1), 'sh', '-c', `echo 1 > /proc/sys/${knob}`],
        options,
      );
    const plug = (host: Host, bridge: 'inside' | 'outside', device: string, tail: number) => {
      const socket = `${bridge}-${tail}`;
      configure(router, [
        `link add ${socket} type veth peer name ${device} netns ${host.name}`,
        `link set ${socket} master ${bridge} up`,
      ]);
      const net = bridge === 'inside' ? '77' : '88';
      configure(host, [
        `link set ${device} up`,
        ...addresses(device, `10.${net}.0.${tail}`, `fd${net}::${tail}`),
      ]);
    };
    const useRouter = (host: Host, net: string) =>
      configure(host, [`route add default via 10.${net}.0.1`, `route add ::/0 via fd${net}::1`]);
    plug(server, 'inside', 'eth0', 2);
    plug(instance, 'inside', 'eth0', 3);
    plug(front, 'inside', 'eth0', 4);
    plug(laptop, 'outside', 'eth0', 2);
    plug(instance, 'outside', 'eth1', 3);
    useRouter(server, '77');
    useRouter(front, '77');
    useRouter(laptop, '88');
    return { folder, router, server, instance, front, laptop, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

const options = { env: { ...process.env, PATH: searchPath }, stdio: 'pipe' } as const;

function createHost(name: string): Host {
  execFileSync(systemProgram('ip'), ['netns', 'add', name], options);
  const entry = ['ip', 'netns', 'exec', name];
  const inside = entry.slice(1);
  const filesOfItsOwn = join('/etc/netns', name);
  mkdirSync(filesOfItsOwn, { recursive: true });
  const writeHostsFile = (entries: readonly string[]) =>
    writeFileSync(
      join(filesOfItsOwn, 'hosts'),
      ['127.0.0.1 localhost', '::1 localhost', ...entries, ''].join('\n'),
    );
  writeHostsFile([]);
  // No name server: whatever is not in the hosts file does not exist.
  writeFileSync(join(filesOfItsOwn, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
  const host: Host = {
    name,
    entry,
    run: async (program, ...words) => {
      const ran = await promisify(execFile)(systemProgram('ip'), [...inside, program, ...words], {
        env: options.env,
        maxBuffer: 64 * 1024 * 1024,
        timeout: 60_000,
      });
      return ran.stdout;
    },
    start: (program, ...words) =>
      spawn(systemProgram('ip'), [...inside, program, ...words], {
        env: options.env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    fork: (module, forkOptions) =>
      fork(module, {
        ...forkOptions,
        execPath: systemProgram('ip'),
        execArgv: [...inside, process.execPath],
      }),
    writeHostsFile,
  };
  configure(host, ['link set lo up']);
  return host;
}

function addresses(device: string, v4: string, v6: string): string[] {
  // Without `nodad` an IPv6 address cannot be used for its first second or two.
  return [`addr add ${v4}/24 dev ${device}`, `addr add ${v6}/64 dev ${device} nodad`];
}

function configure(host: Host, lines: readonly string[]): void {
  execFileSync(systemProgram('ip'), ['-n', host.name, '-batch', '-'], {
    ...options,
    input: `${lines.join('\n')}\n`,
  });
}

function namespaces(): string[] {
  const listed = execFileSync(systemProgram('ip'), ['netns', 'list'], { ...options, encoding: 'utf8' });
  return listed.split('\n').map((line) => line.split(' ')[0] ?? '');
}

/** Ends every process on the hosts of a run, then removes them with all that was configured in them. */
function tearDown(owner: number): void {
  for (const name of namespaces().filter((name) => name.startsWith(`gatehouse-${owner}-`))) {
    for (const processId of processesIn(name)) {
      try {
        process.kill(processId, 'SIGKILL');
      } catch {
        // It ended by itself in this moment.
      }
    }
    execFileSync(systemProgram('ip'), ['netns', 'del', name], options);
    rmSync(join('/etc/netns', name), { recursive: true, force: true });
  }
  rmSync(folderOf(owner), { recursive: true, force: true, maxRetries: 5 });
}

function folderOf(owner: number): string {
  return join(tmpdir(), `gatehouse-${owner}-networks`);
}

function processesIn(name: string): number[] {
  const listed = execFileSync(systemProgram('ip'), ['netns', 'pids', name], { ...options, encoding: 'utf8' });
  return listed.split('\n').filter(Boolean).map(Number);
}

/** A run that was killed could not tidy up; the next one does it. */
function sweepAbandoned(): void {
  const owners = namespaces().map((name) => Number(/^gatehouse-(\d+)-/.exec(name)?.[1] ?? process.pid));
  for (const owner of new Set(owners)) {
    try {
      process.kill(owner, 0);
    } catch {
      tearDown(owner);
    }
  }
}
