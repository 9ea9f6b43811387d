/**
 * `npm run bench:limits -- NAME=FOLDER …`: what every limit costs. In each gateway two keys take turns in short slices,
 * one that nothing limits and one whose key, person, project and membership have every limit, for all models and for
 * the one that is asked. Both share one process, so that what differs are the limits; processor time of its event loop.
 */
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { type Contender, startGatehouse, startUpstream } from './contenders.ts';
import { quantile } from './load.ts';
import { readThreads } from './process-tree.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '60' },
    /** In each slice. */
    requests: { type: 'string', default: '500' },
    warmUp: { type: 'string', default: '10000' },
  },
});
const requests = Number(values.requests);
const eventLoop = 'node-MainThread';
const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'a'.repeat(950) }] });
/** So high that nobody reaches them. */
const everyLimit = [
  ['--requests-per-minute', '10000000'],
  ['--tokens-per-minute', '100000000000'],
  ['--requests-at-once', '10000'],
  ['--cost-per-day', '1000000000000'],
  ['--cost-per-month', '1000000000000'],
  ['--cost-in-total', '1000000000000'],
].flat();
const upstream = await startUpstream();
const versions = await Promise.all(
  (positionals.length > 0 ? positionals : [`now=${new URL('..', import.meta.url).pathname}`]).map(
    startVersion,
  ),
);
for (const { free, limited } of versions)
  for (let sent = 0; sent < Number(values.warmUp); sent += 1000) {
    await ask(free, 500);
    await ask(limited, 500);
  }
for (let round = 0; round < Number(values.rounds); round++)
  for (const version of versions) {
    const slices = [version.free, version.limited];
    for (const caller of round % 2 === 0 ? slices : slices.toReversed())
      caller.micros.push(await slice(caller));
  }
console.log(
  `${new Date().toISOString().slice(0, 16)}, ${cpus().length} × ${cpus()[0]?.model ?? 'cores'}, load ${loadavg()[0]?.toFixed(1)}, ${values.rounds} rounds of ${requests}`,
);
for (const { name, free, limited } of versions) {
  const more = limited.micros.map((micros, round) => micros - (free.micros[round] ?? 0));
  const [without, difference] = [quantile(free.micros, 0.5), quantile(more, 0.5)];
  console.log(
    `${name}: ${without.toFixed(1)} µs of the event loop without limits, ${quantile(limited.micros, 0.5).toFixed(1)} with every limit; ` +
      `median difference ${difference.toFixed(1)} (quartiles ${quantile(more, 0.25).toFixed(1)} to ${quantile(more, 0.75).toFixed(1)}), ${(1 + difference / without).toFixed(3)}×`,
  );
}
for (const { stop } of [upstream, ...versions]) stop();
process.exit(0);

interface Caller {
  readonly processId: number;
  readonly path: string;
  readonly pool: Pool;
  readonly headers: Readonly<Record<string, string>>;
  readonly micros: number[];
}

interface Version {
  readonly name: string;
  readonly free: Caller;
  readonly limited: Caller;
  stop(): void;
}

async function startVersion(version: string): Promise<Version> {
  const [name = '', folder = ''] = version.split('=');
  const { proxy, command } = await startGatehouse(upstream.port, { repository: folder });
  const owner = 'limited@example.org';
  command('people', 'create', owner);
  command('projects', 'create', 'limited');
  command('projects', 'add', 'limited', owner);
  const secret = command('keys', 'create', '--name', 'limited', '--person', owner, '--project', 'limited');
  const [key] = JSON.parse(command('keys', 'list', '--person', owner, '--json')) as { id: string }[];
  const subjects = [
    ['--key', key?.id ?? ''],
    ['--person', owner],
    ['--project', 'limited'],
    ['--members-of', 'limited'],
  ];
  for (const subject of subjects)
    for (const model of [[], ['--model', 'bench']])
      command('limits', 'set', ...subject, ...model, ...everyLimit);
  await sleep(3000);
  return {
    name,
    free: callerOf(proxy, proxy.headers),
    limited: callerOf(proxy, { authorization: `bearer ${secret}` }),
    stop: proxy.stop,
  };
}

function callerOf({ url, processId }: Contender, headers: Caller['headers']): Caller {
  const { origin, pathname } = new URL(url);
  return { processId, path: pathname, pool: new Pool(origin, { connections: 8 }), headers, micros: [] };
}

async function slice(caller: Caller): Promise<number> {
  const before = readThreads(caller.processId).get(eventLoop) ?? 0;
  await ask(caller, requests);
  return ((readThreads(caller.processId).get(eventLoop) ?? 0) - before) / requests;
}

async function ask({ pool, path, headers }: Caller, count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const answer = await pool.request({
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
