/**
 * `npm run bench:simulation`: the product's own admission, sharing and routing on a virtual clock, in front of engines
 * that are calculated. The laws of the line first, with first come, first served beside them, then a city of engines
 * and callers with bursts, deaths of engines and the death of the gateway.
 *
 *   --engines N   (default 1000)
 *   --callers N   (default 100000)
 *   --seconds N   of virtual time (default 120)
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type CityFigures, liveInCity } from './simulation/city.ts';
import { decisionShapes, measureDecisions, passersBy } from './simulation/decisions.ts';
import {
  backgroundBesideFlood,
  floodBesideOccasional,
  promptsAgainstAnswers,
  weightedProjects,
  wideBesideFlood,
} from './simulation/laws.ts';
import { type PrefixFigures, prefixLoads, sharedPrefixes } from './simulation/prefixes.ts';
import { quantile } from './simulation/service-ledger.ts';

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: '1000' },
    callers: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '120' },
  },
});
const begunMs = performance.now();
print(
  `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() || process.arch}), load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}\n`,
);

print('| law | fair line | first come, first served | goal |\n| --- | --- | --- | --- |');
const fair = await promptsAgainstAnswers('fair', 600);
const plain = await promptsAgainstAnswers('first-come', 600);
row(
  'long prompts against long answers: largest difference of cost served',
  whole(fair.largestGap),
  whole(plain.largestGap),
  `< ${whole(fair.bound)}`,
);
row(
  '… least Jain index of all windows of ten batches',
  fair.leastJain.toFixed(4),
  plain.leastJain.toFixed(4),
  '≥ 0.98',
);
row('… seat-seconds free while somebody waited', fair.idleSeats.toFixed(2), plain.idleSeats.toFixed(2), '0');
const weights = await weightedProjects(600);
row('weights 1:3 give', `1:${weights.ratio.toFixed(3)}`, '', 'within 2 %');
row('background beside a flood gets', percent((await backgroundBesideFlood(600)).share), '', '≥ 5 %');
const alone = await floodBesideOccasional('fair', false, 1200);
const flooded = await floodBesideOccasional('fair', true, 1200);
const queued = await floodBesideOccasional('first-come', true, 1200);
row(
  'flood: first token p95 of the other, against alone',
  times(flooded.lightP95 / alone.lightP95),
  times(queued.lightP95 / alone.lightP95),
  '≤ 1.5×',
);
row('… p50', times(flooded.lightP50 / alone.lightP50), times(queued.lightP50 / alone.lightP50), '');
row('… cost per second of both together', whole(flooded.costPerSecond), whole(queued.costPerSecond), '');
const wide = await wideBesideFlood(600);
row(
  'eight answers at once beside a flood: answered',
  `${wide.wide} and ${wide.wider} (single ones ${wide.single})`,
  '',
  'not 0',
);
for (const load of prefixLoads) {
  const seen = await sharedPrefixes(load, 600);
  const speed = (of: PrefixFigures) => times(of.tokensPerSecond / seen.longest.tokensPerSecond);
  const wait = (of: PrefixFigures) => times(of.firstTokenP90 / seen.roundRobin.firstTokenP90);
  row(
    `${load.name}: tokens/s against longest prefix first`,
    speed(seen.fair),
    speed(seen.firstCome),
    '≥ 0.97×',
  );
  row('… first token p90 against round robin', wait(seen.fair), wait(seen.firstCome), '≤ 0.1×');
}

print(
  '\n| decisions: real µs of the rooms per request | taking it in, p50 / p99 | ending it and choosing the next, p50 / p99 |\n| --- | --- | --- |',
);
for (const shape of decisionShapes) {
  const { asking, ending } = await measureDecisions(shape);
  print(`| ${shape.name} | ${both(asking)} | ${both(ending)} |`);
}
const passing = await passersBy(1_000_000);
print(
  `\nA million members seen once: heap ${passing.heapBeforeMb.toFixed(0)} MB before, ${passing.heapAfterMb.toFixed(0)} MB afterwards; ${passing.microsEach.toFixed(1)} µs each.\n`,
);

const city = {
  engines: Number(values.engines),
  callers: Number(values.callers),
  seconds: Number(values.seconds),
  seats: 16,
  stride: 16,
};
print(`City: ${city.engines} engines, ${city.callers} callers, ${city.seconds} s.\n`);
const tookFrom = performance.now();
const life = await liveInCity(city);
const tookSeconds = (performance.now() - tookFrom) / 1000;
print('| city | fair line |\n| --- | --- |');
printCity(life);
print(`| took | ${tookSeconds.toFixed(0)} s |`);
print(
  `\nAll of it took ${((performance.now() - begunMs) / 1000).toFixed(0)} s, load afterwards ${loadavg()[0]?.toFixed(1)}.`,
);
process.exit(0);

function printCity(figures: CityFigures): void {
  const { completed, refused, failed, lost } = figures;
  print(
    `| answered / refused / failed with their engine / lost with the gateway | ${completed} / ${refused} / ${failed} / ${lost} |`,
  );
  print(`| most waiting at once | ${figures.mostWaiting} |`);
  print(`| seats free while somebody waited for them | ${percent(figures.idleWhileWaited)} |`);
  print(
    `| first token of calm callers, p50 / p95 | ${whole(figures.calmP50)} / ${whole(figures.calmP95)} ms |`,
  );
  print(`| first token of those who flood, p95 | ${whole(figures.floodP95)} ms |`);
  print(`| callers who never got anything | ${figures.neverServed} |`);
  print(`| least Jain index between the calm callers of a pool | ${figures.leastJain.toFixed(3)} |`);
  print(
    `| µs per decision: taking in, p50 / p99; ending, p50 / p99 | ${both(figures.asking)}; ${both(figures.ending)} |`,
  );
}

function row(...cells: readonly string[]): void {
  print(`| ${cells.join(' | ')} |`);
}

function both(values: readonly number[]): string {
  return `${quantile(values, 0.5).toFixed(1)} / ${quantile(values, 0.99).toFixed(1)}`;
}

function whole(value: number): string {
  return value.toFixed(0);
}

function percent(value: number): string {
  return `${(100 * value).toFixed(2)} %`;
}

function times(value: number): string {
  return `${value.toFixed(3)}×`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
