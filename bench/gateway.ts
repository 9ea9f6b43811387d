/**
 * `npm run bench`: nginx, Portkey's gateway and our two doors, with `--peers all` those of others too, in front of the same upstream, in one run, in turns.
 * Processor time of the process tree is the headline: it survives a noisy machine.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import {
  type Contender,
  startBarePipe,
  startBareRelay,
  startGatehouse,
  startNginx,
  startPortkey,
  startUpstream,
} from './contenders.ts';
import { measureRequests, measureStreams, quantile } from './load.ts';
import { peers } from './peers.ts';
import { watchProcessTree } from './process-tree.ts';
import { stopAll } from './surroundings.ts';

const latencyRow = 'latency ms at concurrency 1, 1 KB';
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    /** Small requests to everybody before anything counts, and a fifth and a fortieth as many of the larger ones. */
    'warm-up': { type: 'string', default: '30000' },
    /** … and before each of its turns: whoever has stood idle while others were measured begins cold. */
    'warm-turn': { type: 'string', default: '1000' },
    /** How much of the usual number of requests; 0.02 shows within minutes that everybody starts, answers and stops. */
    portion: { type: 'string', default: '1' },
    /** How many at once, one number after another; `none` leaves them out. */
    streams: { type: 'string', default: '300,900' },
    /** The first round is whole; no measurement of a later one begins after so long. */
    minutes: { type: 'string', default: '60' },
    /** `all`: LiteLLM, the SGLang router and Bifrost too, as far as they can be had. */
    peers: { type: 'string' },
  },
});
const sizes = [
  { label: '1 KB', bytes: 1024, count: 4000, warmPart: 1 },
  { label: '40 KB', bytes: 40_960, count: 1500, warmPart: 1 / 5 },
  { label: '400 KB', bytes: 409_600, count: 400, warmPart: 1 / 40 },
];
const rounds = Number(values.rounds);
const portion = Number(values.portion);
const warmUp = Number(values['warm-up']);
const streamCounts = values.streams === 'none' ? [] : values.streams.split(',').map(Number);
const endMs = performance.now() + Number(values.minutes) * 60_000;
const rows = new Map<string, Map<string, number[]>>();
// Whoever cannot wait for the end gets what there is.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void finish());
let isEnding = false;
const upstream = await startUpstream();
const contenders = await startContenders();
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model ?? 'cores'}, Node ${process.version}, ${rounds} rounds, median (spread)\n`,
);

// A service runs for months: everybody's code is warm before anything counts.
for (const contender of contenders)
  for (const { bytes, warmPart } of sizes)
    await attempt(contender, () =>
      measureRequests(contender, bytes, 8, requestsOf(contender, warmUp * warmPart, 20)),
    );

for (let round = 0; round < rounds; round++) {
  for (const contender of contenders) {
    if (round > 0 && performance.now() > endMs) await finish();
    await attempt(contender, async () => {
      await warm(contender);
      await measureWholeAnswers(contender);
    });
  }
  for (const streams of round < 3 ? streamCounts : [])
    for (const contender of contenders) {
      if (round > 0 && performance.now() > endMs) await finish();
      // Portkey 1.15.2 answers every stream with status 500: it tries to change headers that are immutable.
      if (contender !== upstream && contender.name !== 'Portkey')
        await attempt(contender, async () => {
          await warm(contender);
          await measureStreaming(contender, streams, round === 0);
        });
    }
}
for (const contender of contenders)
  note('resident MB at the end', contender, watchProcessTree(contender.processId).residentBytes() / 2 ** 20);
await finish();

/** Who is asked for, in the order of the table; why one of them cannot be had here is said. */
async function startContenders(): Promise<Contender[]> {
  const gatehouse = once(() => startGatehouse(upstream.port));
  const candidates: readonly { readonly name: string; start(): Promise<Contender> }[] = [
    { name: upstream.name, start: () => Promise.resolve(upstream) },
    { name: 'nginx', start: () => startNginx(upstream.port) },
    { name: 'bare Node pipe', start: () => startBarePipe(upstream.port) },
    { name: 'bare Node relay', start: () => startBareRelay(upstream.port) },
    { name: 'Portkey', start: () => startPortkey(upstream.port) },
    ...(values.peers === 'all' ? peers : []).map(({ name, start }) => ({
      name,
      start: () => start(upstream.port),
    })),
    { name: 'Gatehouse, proxy door', start: async () => (await gatehouse()).proxy },
    { name: 'Gatehouse, direct door', start: async () => (await gatehouse()).direct },
  ];
  const begun: Contender[] = [];
  for (const { name, start } of candidates) {
    if (values.only !== undefined && !name.toLowerCase().includes(values.only)) continue;
    try {
      begun.push(await start());
    } catch (cause) {
      console.log(`${name}: left out, because ${wordsOf(cause)}`);
    }
  }
  return begun;
}

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => (made ??= make());
}

/** One contender that fails leaves a gap in the table and costs nobody else theirs. */
async function attempt(contender: Contender, measure: () => Promise<unknown>): Promise<void> {
  try {
    await measure();
  } catch (cause) {
    // Whoever interrupts us has the table already, and the contenders are on their way out.
    if (isEnding) await new Promise(() => {});
    console.log(`${contender.name}: not measured this time, because ${wordsOf(cause)}`);
  }
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

async function finish(): Promise<never> {
  isEnding = true;
  noteAddedLatency();
  print();
  await stopAll();
  process.exit(0);
}

async function warm(contender: Contender): Promise<void> {
  await measureRequests(contender, 1024, 8, requestsOf(contender, Number(values['warm-turn']), 20), true);
}

async function measureWholeAnswers(contender: Contender): Promise<void> {
  for (const { label, bytes, count } of sizes) {
    const figures = await measureRequests(contender, bytes, 8, requestsOf(contender, count, 8), true);
    note(`CPU µs per request, ${label}`, contender, figures.cpuMicros);
    note(`requests/s, ${label}, 8 connections`, contender, figures.perSecond);
  }
  const { medianMs } = await measureRequests(contender, 1024, 1, requestsOf(contender, 500, 5));
  note(latencyRow, contender, medianMs);
}

async function measureStreaming(contender: Contender, streams: number, isFirst: boolean): Promise<void> {
  const figures = await measureStreams(contender, streams, 50, 60);
  note(`CPU µs per frame, ${streams} streams`, contender, figures.cpuMicrosPerFrame);
  note(`p99 gap ms, ${streams} streams (pace 50)`, contender, figures.gapP99Ms);
  if (isFirst)
    note(`KB per open stream, ${streams} streams, first round`, contender, figures.bytesPerStream / 1024);
  note(`broken streams, ${streams}`, contender, figures.errors);
}

/** Each round's latency less that of the same round without a gateway. */
function noteAddedLatency(): void {
  const latencies = rows.get(latencyRow);
  const without = latencies?.get(upstream.name) ?? [];
  for (const contender of contenders)
    for (const [round, value] of (latencies?.get(contender.name) ?? []).entries())
      if (contender !== upstream)
        note('added latency ms at concurrency 1, 1 KB', contender, value - (without[round] ?? NaN));
}

/** A part of them says as much about those who take milliseconds for each. */
function requestsOf({ name }: Contender, usual: number, partForSlow: number): number {
  const isSlow = name === 'Portkey' || name === 'LiteLLM';
  return Math.ceil((usual * portion) / (isSlow ? partForSlow : 1));
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
