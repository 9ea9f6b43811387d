/**
 * `npm run bench:chaos -- [kills] [callers] [minutes]`: three gateways, PostgreSQL and two engines, of which one after
 * the other is killed at random. Prints what was lost, doubled, or seen by callers who should have seen nothing.
 */
import { runChaos } from '../test/scale/chaos.ts';

const [kills = 200, callers = 300, minutes = 60] = process.argv.slice(2).map(Number);
const report = await runChaos({
  kills,
  callers,
  forNoLongerThanMs: minutes * 60_000,
  log: (line) => console.log(line),
});
const tally = (names: readonly string[]) =>
  Object.entries(Object.groupBy(names, (name) => name)).map(([name, all]) => `${all?.length} ${name}`);
const sorted = report.revocationsMs.toSorted((one, other) => one - other);
console.log(`kills: ${report.deaths.length} (${tally(report.deaths.map(({ name }) => name)).join(', ')})`);
console.log(`calls: ${report.calls.length} (${tally(report.calls.map(({ ending }) => ending)).join(', ')})`);
const resumable = report.calls.filter(({ isResumable }) => isResumable);
console.log(
  `of them resumable: ${resumable.length} (${tally(resumable.map(({ ending }) => ending)).join(', ')})`,
);
console.log(`not whole although their gateway lived: ${report.unexcused.length}`);
for (const call of report.unexcused.slice(0, 10)) console.log(`  ${call.ending}: ${call.detail}`);
console.log(
  `begun at engines ${report.begunAtEngines}, records ${report.records}, sums of days ${report.summed}`,
);
console.log(`lost: ${report.lost.length}`, ...report.lost.slice(0, 5));
console.log(`with other numbers than the engines': ${report.wrong.length}`, ...report.wrong.slice(0, 5));
console.log(
  `revoked keys: ${sorted.length} measured, median ${sorted[Math.floor(sorted.length / 2)]} ms, longest ${sorted.at(-1)} ms, over a second ${sorted.filter((ms) => ms > 1000).length}`,
);
process.exit();
