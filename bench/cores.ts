/**
 * `npm run bench:cores`: one, two and four gateways of one service on one machine, at one port that they share, with a
 * real PostgreSQL, keys, limits and books on; and beside them, in turns, as many bare Node relays that share a port, so
 * that one sees what the machine itself lets several processes gain. Each gateway has an upstream and two processes of
 * callers; the machine needs four cores per gateway for the figures to be the gateways'. With `--pin` each gateway has a
 * physical core to itself, with both of its threads, and everybody else shares the others: two processors that are
 * halves of one core are not two. Prints a table for RESULTS.md.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { freePort } from '#harness/free-port';
import { type Gateway, startGateway } from '#harness/gateway';
import { startPostgres } from '#harness/postgres';
import { waitUntil } from '#harness/wait-until';
import { startProgram, startUpstream, type Upstream } from './contenders.ts';
import { watchProcessTree } from './process-tree.ts';
import type { RequestCounts } from './request-callers.ts';

const { values } = parseArgs({
  options: {
    gateways: { type: 'string', default: '1,2,4' },
    seconds: { type: 'string', default: '15' },
    connections: { type: 'string', default: '24' },
    pin: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const sizes = values.gateways.split(',').map(Number);
/** The processors of each physical core, as `taskset` wants them. */
const cores = [
  ...new Set(
    cpus().map((_, cpu) =>
      readFileSync(`/sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`, 'utf8').trim(),
    ),
  ),
];
if (values.pin) pin(process.pid, cores.slice(Math.max(...sizes)).join(','));
const upstreams: Upstream[] = await Promise.all(Array.from({ length: Math.max(...sizes) }, startUpstream));
const postgres = await startPostgres();

console.log(
  `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} × ${cpus()[0]?.model || process.arch}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)} before, ${cores.length} physical cores${values.pin ? ', one for each gateway' : ''}, ${seconds} s each\n`,
);
console.log('| processes | of | requests/s | against one | p50 / p99 ms | failed | CPU µs per request |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
const perSecondOfOne = new Map<string, number>();
for (const size of sizes)
  for (const start of [startGateways, startRelays]) {
    const contender = await start(size);
    await measure(size, contender);
    await contender.stop();
  }
await postgres.stop();
for (const { stop } of upstreams) stop();
process.exit(0);

/** Several processes behind one port. */
interface Contender {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly processIds: readonly number[];
  stop(): Promise<void>;
}

async function measure(size: number, { name, url, headers, processIds }: Contender): Promise<void> {
  const job = { url, headers, connections: Number(values.connections) };
  if (values.pin) for (const [index, id] of processIds.entries()) pin(id, cores[index] ?? '0');
  await load(size, { ...job, seconds: 4 });
  const trees = processIds.map(watchProcessTree);
  const cpuMs = () => trees.reduce((sum, tree) => sum + tree.cpuMs(), 0);
  const before = cpuMs();
  const counts = await load(size, { ...job, seconds });
  const spentMs = cpuMs() - before;
  const sum = (read: (counts: RequestCounts) => number) => counts.reduce((all, next) => all + read(next), 0);
  const perSecond = sum(({ answered }) => answered) / seconds;
  const ofOne = perSecondOfOne.get(name) ?? perSecond;
  perSecondOfOne.set(name, ofOne);
  const cells = [
    size,
    name,
    perSecond.toFixed(0),
    `${(perSecond / ofOne).toFixed(2)}×`,
    `${(sum(({ p50Ms }) => p50Ms) / counts.length).toFixed(1)} / ${Math.max(...counts.map(({ p99Ms }) => p99Ms)).toFixed(1)}`,
    sum(({ failed }) => failed),
    ((spentMs * 1000) / (perSecond * seconds)).toFixed(0),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

function pin(processId: number, processors: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', processors, String(processId)], {
    stdio: 'ignore',
  });
}

async function startRelays(size: number): Promise<Contender> {
  const port = await freePort();
  const relays = await Promise.all(
    upstreams
      .slice(0, size)
      .map((upstream) => startProgram('bench/bare-relay.ts', String(upstream.port), String(port))),
  );
  const children = relays.map(({ child }) => child);
  return {
    name: 'bare Node relay',
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    headers: {},
    processIds: children.map(({ pid }) => pid ?? 0),
    async stop() {
      const ends = children.map((child) => once(child, 'exit'));
      for (const child of children) child.kill();
      await Promise.all(ends);
    },
  };
}

async function startGateways(size: number): Promise<Contender> {
  const sharedListen = `127.0.0.1:${await freePort()}`;
  const engines = upstreams.slice(0, size).map(({ port }, index) => ({
    name: `upstream-${index}`,
    kind: 'vllm',
    url: `http://127.0.0.1:${port}`,
    maxConcurrent: 4096,
  }));
  const settings = {
    listen: '127.0.0.1:0',
    sharedListen,
    database: await postgres.createDatabase(),
    service: 'bench',
    log: { level: 'info', format: 'json' },
    engines,
    models: [{ id: 'bench', engines: engines.map(({ name }) => name) }],
  };
  const env = { NODE_OPTIONS: '--max-semi-space-size=64' };
  const first = await startGateway({ settings, env });
  const { secret } = await first.createKey({ name: 'bench' });
  const others = await Promise.all(Array.from({ length: size - 1 }, () => startGateway({ settings, env })));
  const gateways = [first, ...others];
  const knows = async ({ url }: Gateway) =>
    (await fetch(`${url}/api/models`, { headers: { authorization: `bearer ${secret}` } })).ok;
  await waitUntil('all know the key', async () => (await Promise.all(gateways.map(knows))).every(Boolean));
  return {
    name: 'Gatehouse',
    url: `http://${sharedListen}/api/chat/completions`,
    headers: { authorization: `bearer ${secret}` },
    processIds: gateways.map(({ pid }) => pid),
    stop: async () => void (await Promise.all(gateways.map((gateway) => gateway.stop()))),
  };
}

async function load(size: number, job: object): Promise<RequestCounts[]> {
  return await Promise.all(
    Array.from({ length: size * 2 }, async () => {
      const { child } = await startProgram('bench/request-callers.ts');
      child.send(job);
      const [counts] = (await once(child, 'message')) as [RequestCounts];
      child.kill();
      return counts;
    }),
  );
}
