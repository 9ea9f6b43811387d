/**
 * `npm run bench:chaos -- [--kills 200] [--callers 300] [--minutes 6] [--logs FOLDER]`: three gateways, PostgreSQL and two engines, which
 * are killed at random. Prints one table of what was lost, doubled, or seen by callers who should have seen nothing, and
 * ends with status 1 when a promise was broken. No kill comes after so many minutes; the rest takes one more. In the
 * folder are then the logs of the gateways, in which one finds what became of an answer.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { isUnexcused, runChaos } from '../test/scale/chaos.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    callers: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '6' },
    logs: { type: 'string' },
  },
});
const startedAt = performance.now();
const { deaths, calls, failures, revocationsMs, ...books } = await runChaos({
  kills: Number(values.kills),
  callers: Number(values.callers),
  momentMs: 2000,
  forNoLongerThanMs: Number(values.minutes) * 60_000,
  log: (line) => console.log(line),
  logs: values.logs,
});
const resumable = calls.filter(({ isResumable }) => isResumable);
const unexcused = failures.filter(isUnexcused);
const unresumed = unexcused.filter(({ call }) => call.isResumable);
const revocations = revocationsMs.toSorted((one, other) => one - other);
const longestRevocation = revocations.at(-1) ?? 0;

/** What is measured, what came out, and what was promised, with whether that was kept. */
const table: readonly (readonly [string, string | number, (readonly [string, boolean])?])[] = [
  ['kills', `${deaths.length} of ${values.kills}: ${tally(deaths.map(({ name }) => name))}`],
  ['requests that callers began', calls.length],
  ['requests that an engine began', books.begunAtEngines],
  ['usage records', books.records],
  ['records doubled (sums of days against records)', books.doubled, zero(books.doubled)],
  ['lost: begun at an engine, on no book', books.lost.length, zero(books.lost.length)],
  ['whole answers with other numbers than the engine', books.wrong.length, zero(books.wrong.length)],
  ['endings, as callers saw them', tally(calls.map(({ ending }) => ending))],
  ['errors by reason', tally(failures.map(({ reason }) => reason))],
  ['errors that nobody should have seen', unexcused.length, zero(unexcused.length)],
  ['resumable requests, by ending', tally(resumable.map(({ ending }) => ending))],
  [
    'resumable requests that ended with an error, by reason',
    tally(failures.filter(({ call }) => call.isResumable).map(({ reason }) => reason)),
    zero(unresumed.length),
  ],
  ['revoked keys measured, median ms', `${revocations.length}, ${revocations[revocations.length >> 1] ?? 0}`],
  ['longest that a revoked key was accepted, ms', longestRevocation, ['≤ 1000', longestRevocation <= 1000]],
];
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
console.log(
  `\n${new Date().toISOString().slice(0, 16)}, ${cpus().length} × ${cpus()[0]?.model ?? 'cores'}, load ${loadavg()[0]?.toFixed(1)}, ${values.callers} callers, ${minutes} minutes\n`,
);
console.log('| measure | result | promise |\n| --- | --- | --- |');
for (const [name, result, promise] of table)
  console.log(`| ${name} | ${result} | ${promise === undefined ? '' : promised(promise)} |`);
for (const line of [...books.lost.slice(0, 5), ...books.wrong.slice(0, 5)]) console.log(line);
for (const alike of Object.values(Object.groupBy(unexcused, ({ call }) => call.ending)))
  for (const { call, reason } of alike.slice(0, 4))
    console.log(
      [
        `${call.requestId}, ${call.ending}, ${reason}${story(call)}: ${call.detail}`,
        ...(call.tried ?? []),
      ].join('\n  '),
    );
const isKept = table.every(([, , promise]) => promise?.[1] ?? true);
console.log(isKept ? '\nEvery promise was kept.' : '\nA PROMISE WAS BROKEN.');
process.exit(isKept ? 0 : 1);

/** When it began and broke, and who died around it, in ms since its start. */
function story({ gateway, isResumable, startedAt, brokenAt, endedAt }: (typeof calls)[number]): string {
  const since = (at: number) => Math.round(at - startedAt);
  const around = deaths.filter(({ from, to }) => from < endedAt && to > startedAt - 3000);
  const died = around.map(({ name, from, to }) => `${name} ${since(from)} to ${since(to)}`);
  const kind = isResumable ? 'resumable' : 'not resumable';
  return ` (${kind}, at gateway ${gateway + 1}, broke at ${since(brokenAt)}, ended at ${since(endedAt)}; ${died.join(', ')})`;
}

function zero(count: number): readonly [string, boolean] {
  return ['0', count === 0];
}

function promised([promise, isKept]: readonly [string, boolean]): string {
  return isKept ? promise : `${promise}, BROKEN`;
}

function tally(names: readonly string[]): string {
  const counted = Object.entries(Object.groupBy(names.toSorted(), (name) => name));
  return counted.map(([name, all]) => `${all?.length} ${name}`).join(', ') || 'none';
}
