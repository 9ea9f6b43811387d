/**
 * `npm run bench`: nginx, Portkey's gateway and our two doors in front of the same upstream, in one run, in turns.
 * Processor time of the process tree is the headline: it survives a noisy machine.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import {
  type Contender,
  startBareRelay,
  startGatehouse,
  startNginx,
  startPortkey,
  startUpstream,
} from './contenders.ts';
import { startPeers } from './peers.ts';
import { measureRequests, measureStreams, quantile } from './load.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    /** Requests to everybody before anything counts. */
    'warm-up': { type: 'string', default: '20000' },
    /** How many at once, one number after another; `none` leaves them out. */
    streams: { type: 'string', default: '300,900' },
    /** The first round is whole; no measurement of a later one begins after so long. */
    minutes: { type: 'string', default: '60' },
    /** `all`: LiteLLM and the SGLang router too, and Bifrost where `GATEHOUSE_BIFROST` names it. */
    peers: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const warmUp = Number(values['warm-up']);
const streamCounts = values.streams === 'none' ? [] : values.streams.split(',').map(Number);
const endMs = performance.now() + Number(values.minutes) * 60_000;
const upstream = await startUpstream();
const gatehouse = await startGatehouse(upstream.port);
const contenders: Contender[] = [
  upstream,
  await startNginx(upstream.port),
  await startBareRelay(upstream.port),
  await startPortkey(upstream.port),
  ...(values.peers === 'all' ? await startPeers(upstream.port) : []),
  gatehouse.proxy,
  gatehouse.direct,
].filter(({ name }) => values.only === undefined || name.toLowerCase().includes(values.only));
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model ?? 'cores'}, Node ${process.version}, ${rounds} rounds, median (spread)\n`,
);

// A service runs for months: everybody's code is warm before anything counts.
for (const contender of contenders)
  await measureRequests(contender, 1024, 8, isSlow(contender) ? warmUp / 20 : warmUp);

const rows = new Map<string, Map<string, number[]>>();
// Whoever cannot wait for the end gets what there is.
process.once('SIGINT', () => finish());
for (let round = 0; round < rounds; round++) {
  for (const contender of contenders) {
    if (round > 0 && performance.now() > endMs) finish();
    await measureWholeAnswers(contender);
  }
  for (const streams of round < 3 ? streamCounts : [])
    for (const contender of contenders) {
      if (round > 0 && performance.now() > endMs) finish();
      // Portkey 1.15.2 answers every stream with status 500: it tries to change headers that are immutable.
      if (contender !== upstream && contender.name !== 'Portkey')
        await measureStreaming(contender, streams, round === 0);
    }
}
finish();

function finish(): never {
  print();
  for (const { stop } of contenders) stop();
  process.exit(0);
}

async function measureWholeAnswers(contender: Contender): Promise<void> {
  for (const [label, bytes, count] of [
    ['1 KB', 1024, 4000],
    ['40 KB', 40_960, 1500],
    ['400 KB', 409_600, 200],
  ] as const) {
    const figures = await measureRequests(contender, bytes, 8, isSlow(contender) ? count / 8 : count);
    note(`CPU µs per request, ${label}`, contender, figures.cpuMicros);
    note(`requests/s, ${label}, 8 connections`, contender, figures.perSecond);
  }
  const { medianMs } = await measureRequests(contender, 1024, 1, isSlow(contender) ? 100 : 500);
  note('latency ms at concurrency 1, 1 KB', contender, medianMs);
}

async function measureStreaming(contender: Contender, streams: number, isFirst: boolean): Promise<void> {
  const figures = await measureStreams(contender, streams, 50, 60);
  note(`CPU µs per frame, ${streams} streams`, contender, figures.cpuMicrosPerFrame);
  note(`p99 gap ms, ${streams} streams (pace 50)`, contender, figures.gapP99Ms);
  if (isFirst)
    note(`KB per open stream, ${streams} streams, first round`, contender, figures.bytesPerStream / 1024);
  note(`broken streams, ${streams}`, contender, figures.errors);
}

/** Fewer requests say as much about those who take milliseconds for each. */
function isSlow({ name }: Contender): boolean {
  return name === 'Portkey' || name === 'LiteLLM';
}

function note(row: string, contender: Contender, value: number): void {
  if (Number.isNaN(value)) return;
  const cells = rows.get(row) ?? new Map<string, number[]>();
  rows.set(row, cells);
  cells.set(contender.name, [...(cells.get(contender.name) ?? []), value]);
}

function print(): void {
  console.log(
    `| measure | ${contenders.map(({ name }) => name).join(' | ')} |\n|---|${contenders.map(() => '---').join('|')}|`,
  );
  for (const [row, cells] of rows) {
    const shown = contenders.map(({ name }) => {
      const values = cells.get(name);
      if (values === undefined) return '';
      const spread =
        values.length > 1 ? ` (${format(Math.min(...values))}–${format(Math.max(...values))})` : '';
      return format(quantile(values, 0.5)) + spread;
    });
    console.log(`| ${row} | ${shown.join(' | ')} |`);
  }
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
