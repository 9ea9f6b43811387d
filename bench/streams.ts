/**
 * `npm run bench:streams`: many paced streams at once for minutes through the proxy door of the running program,
 * with keys, limits and books on, and the same load without a gateway beside it. `--vanish` lets callers go away at
 * random moments and then looks whether everything they held was given back. Prints a table for RESULTS.md.
 */
import { once } from 'node:events';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Contender, startGatehouse, startProgram, startUpstream } from './contenders.ts';
import { quantile } from './load.ts';
import type { CallersFigures, CallersJob } from './stream-callers.ts';
import {
  gatewayCounts,
  openFilesOf,
  residentMbOf,
  usageRecords,
  type WatchFigures,
  watchProcess,
} from './stream-watch.ts';

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '300' },
    'baseline-seconds': { type: 'string', default: '60' },
    /** One or more, each with a gateway of its own: `50,100`. */
    'pace-ms': { type: 'string', default: '100' },
    'stream-seconds': { type: 'string', default: '30' },
    'settle-seconds': { type: 'string', default: '90' },
    vanish: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const upstream = await startUpstream();
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} × ${cpus()[0]?.model || process.arch} shared by callers, gateway and upstream, Node ${process.version}, load average before ${loadavg()[0]?.toFixed(1)}, ${seconds} s${values.vanish ? ', callers vanish' : ''}`,
);
for (const paceMs of values['pace-ms'].split(',').map(Number)) await measurePace(paceMs);
upstream.stop();
process.exit(0);

async function measurePace(paceMs: number): Promise<void> {
  const job = {
    paceMs,
    streams: Number(values.streams),
    streamSeconds: Number(values['stream-seconds']),
    doVanish: values.vanish,
  };
  const baselineSeconds = Math.min(seconds, Number(values['baseline-seconds']));
  const bare = await runCallers(upstream, { ...job, seconds: baselineSeconds });
  await settled(async () => (await upstream.counts()).connections <= 1);

  const { proxy, dataDir } = await startGatehouse(upstream.port, {
    maxConnections: 2 * Number(values.streams) + 100,
  });
  const origin = new URL(proxy.url).origin;
  await sleep(3000);
  const before = {
    residentMb: residentMbOf(proxy.processId),
    openFiles: openFilesOf(proxy.processId),
    records: usageRecords(dataDir),
    upstream: await upstream.counts(),
  };
  const gated = await runCallers(proxy, { ...job, seconds });
  const releasedMs = await settled(async () => isReleased(origin));
  const connectionsMs = await settled(
    async () => (await upstream.counts()).connections <= before.upstream.connections,
  );
  const counts = await gatewayCounts(origin);
  const after = {
    residentMb: residentMbOf(proxy.processId),
    openFiles: openFilesOf(proxy.processId),
    records: usageRecords(dataDir),
    upstream: await upstream.counts(),
  };
  proxy.stop();

  const asked = (job.streams * 1000) / paceMs;
  const { begun, unseen } = gated.figures;
  const records = total(after.records) - total(before.records);
  printTable(`${job.streams} streams, a frame every ${paceMs} ms`, [
    ...comparedRows(asked, bare, gated),
    [
      'memory of the gateway at the start / in the last third / afterwards',
      '',
      memoryCell(before.residentMb, gated.gateway, after.residentMb),
    ],
    ['open files of the gateway before / afterwards', '', `${before.openFiles} / ${after.openFiles}`],
    [
      'requests begun / usage records',
      '',
      `${begun}${unseen > 0 ? ` to ${begun + unseen} (${unseen} left before the first byte)` : ''} / ${records}${records >= begun && records <= begun + unseen ? '' : ' (**wrong**)'}`,
    ],
    [
      'endings in the books',
      '',
      [...after.records]
        .map(([ending, many]) => `${many - (before.records.get(ending) ?? 0)} ${ending}`)
        .join(', '),
    ],
    [
      'left afterwards: in flight / waiting / outstanding / connections of callers',
      '',
      `${counts.inFlight} / ${counts.waiting} / ${counts.outstandingAtEngines} / ${counts.callersConnections}, after ${shown(releasedMs)}`,
    ],
    [
      'left at the upstream: streams / connections (before)',
      '',
      `${after.upstream.activeStreams} / ${after.upstream.connections} (${before.upstream.connections}), after ${shown(releasedMs + connectionsMs)}`,
    ],
  ]);
}

interface Run {
  readonly figures: CallersFigures;
  readonly gateway: WatchFigures;
  readonly upstream: WatchFigures;
  readonly callers: WatchFigures;
}

async function runCallers(contender: Contender, job: Omit<CallersJob, 'url' | 'headers'>): Promise<Run> {
  const { child } = await startProgram('bench/stream-callers.ts');
  child.send({ ...job, url: contender.url, headers: contender.headers });
  await once(child, 'message');
  const watched = [contender.processId, upstream.processId, child.pid ?? 0].map(watchProcess);
  const [figures] = (await once(child, 'message')) as [CallersFigures];
  const [gateway, engine, callers] = watched.map((watch) => watch.stop());
  child.kill();
  if (gateway === undefined || engine === undefined || callers === undefined) throw new Error('unwatched');
  return { figures, gateway, upstream: engine, callers };
}

async function isReleased(origin: string): Promise<boolean> {
  const { inFlight, waiting, outstandingAtEngines, callersConnections, unappliedBytes } =
    await gatewayCounts(origin);
  return inFlight + waiting + outstandingAtEngines + callersConnections + unappliedBytes === 0;
}

/** The time it took until `isSo`; when it never is, the figures afterwards tell what is left. */
async function settled(isSo: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < Number(values['settle-seconds']) * 1000) {
    if (await isSo()) break;
    await sleep(250);
  }
  return performance.now() - begun;
}

function comparedRows(askedPerSecond: number, bare: Run, gated: Run): string[][] {
  const both = (name: string, cell: (run: Run) => string) => [name, cell(bare), cell(gated)];
  return [
    both(`frames/s (asked: ${askedPerSecond})`, ({ figures }) => figures.framesPerSecond.toFixed(0)),
    both('frame delay ms, p50 / p99 / max', ({ figures }) => spread(figures.delayMs)),
    both('added frame gap ms, p50 / p99 / max', ({ figures }) => spread(figures.addedGapMs)),
    both(
      'streams completed / broken / refused',
      ({ figures: { completed, broken, refused } }) => `${completed} / ${broken} / ${refused}`,
    ),
    ...(values.vanish ? [both('streams abandoned', ({ figures }) => abandoned(figures.vanished))] : []),
    both('cores: gateway / upstream / callers', (run) =>
      [run === bare ? undefined : run.gateway, run.upstream, run.callers]
        .map((watch) => watch?.cpuShare.toFixed(2) ?? '–')
        .join(' / '),
    ),
  ];
}

function memoryCell(beforeMb: number, { residentMb }: WatchFigures, afterMb: number): string {
  const plateauMb = quantile(residentMb.slice(-Math.ceil(residentMb.length / 3)), 0.5);
  return `${[beforeMb, plateauMb, afterMb].map((mb) => mb.toFixed(0)).join(' / ')} MB (highest ${Math.max(...residentMb).toFixed(0)})`;
}

function abandoned(vanished: Readonly<Record<string, number>>): string {
  return Object.entries(vanished)
    .map(([way, many]) => `${many} ${way}`)
    .join(', ');
}

function spread({ p50, p99, max }: CallersFigures['delayMs']): string {
  return [p50, p99, max].map((ms) => (ms >= 10 ? ms.toFixed(0) : ms.toFixed(2))).join(' / ');
}

function total(records: ReadonlyMap<string, number>): number {
  return [...records.values()].reduce((sum, many) => sum + many, 0);
}

function shown(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function printTable(title: string, rows: readonly string[][]): void {
  console.log(`\n| ${title} | no gateway | Gatehouse, proxy door |\n| --- | --- | --- |`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}
