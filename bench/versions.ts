/**
 * `npm run bench:versions -- NAME=FOLDER …`: checkouts of Gatehouse beside each other, nginx and a bare relay, in one
 * run and in turns, with keys, limits and books on. Processor time per request, of each gateway also by thread.
 * Flags of Node may follow the folder, each behind a comma: two sets of flags can be compared as two checkouts can.
 * So may the word `limits`: then all limits are on for this one alone; and the word `postgres`: then its database is one.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type PostgresServer, startPostgres } from '#harness/postgres';
import { type Contender, startBareRelay, startGatehouse, startNginx, startUpstream } from './contenders.ts';
import { measureRequests, quantile } from './load.ts';
import { readThreads } from './process-tree.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '7' },
    requests: { type: 'string', default: '4000' },
    bytes: { type: 'string', default: '1024' },
    door: { type: 'string', default: 'proxy' },
    limits: { type: 'boolean', default: false },
    warmUp: { type: 'string', default: '12000' },
    /** One after another in each round, for the latency. */
    alone: { type: 'string', default: '400' },
  },
});
const upstream = await startUpstream();
let server: PostgresServer | undefined;
const contenders: Contender[] = [await startNginx(upstream.port), await startBareRelay(upstream.port)];
for (const version of positionals) {
  const [, name = '', folder = '', ...flags] = /^([^=]*)=([^,]*)(.*)$/.exec(version) ?? [];
  const words = flags.flatMap((list) => list.split(','));
  const nodeFlags = words.filter((word) => word.startsWith('--'));
  const hasLimits = values.limits || words.includes('limits');
  const database = words.includes('postgres')
    ? await (server ??= await startPostgres()).createDatabase()
    : undefined;
  const doors = await startGatehouse(upstream.port, { repository: folder, hasLimits, nodeFlags, database });
  contenders.push({ ...(values.door === 'direct' ? doors.direct : doors.proxy), name });
}
const requests = Number(values.requests);
const bytes = Number(values.bytes);
const cpuMicros = new Map<string, number[]>();
const latencies = new Map<string, number[]>();
const threads = new Map<string, Map<string, number[]>>();

for (const contender of contenders) await measureRequests(contender, bytes, 8, Number(values.warmUp));
for (let round = 0; round < Number(values.rounds); round++) {
  for (const contender of contenders) {
    // Whoever has stood idle while others were measured begins cold.
    await measureRequests(contender, bytes, 8, requests / 4);
    const before = readThreads(contender.processId);
    await measureRequests(contender, bytes, 8, requests);
    const spent = spentSince(before, contender);
    // The first requests of each measurement warm the connections up.
    const made = requests + Math.min(200, requests / 4);
    note(cpuMicros, contender.name, [...spent.values()].reduce((sum, micros) => sum + micros, 0) / made);
    const byThread = threads.get(contender.name) ?? new Map<string, number[]>();
    threads.set(contender.name, byThread);
    for (const [thread, micros] of spent) note(byThread, thread, micros / made);
    note(
      latencies,
      contender.name,
      (await measureRequests(contender, bytes, 1, Number(values.alone))).medianMs,
    );
  }
}
print();
for (const { stop } of [upstream, ...contenders]) stop();
await server?.stop();
process.exit(0);

function spentSince(before: ReadonlyMap<string, number>, { processId }: Contender): Map<string, number> {
  const now = readThreads(processId);
  return new Map([...now].map(([thread, micros]) => [thread, micros - (before.get(thread) ?? 0)]));
}

function note(into: Map<string, number[]>, name: string, value: number): void {
  into.set(name, [...(into.get(name) ?? []), value]);
}

function print(): void {
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'cores'}, load ${loadavg()[0]?.toFixed(1)}`;
  console.log(
    `${new Date().toISOString().slice(0, 16)}, ${machine}, ${values.rounds} rounds, ${bytes} bytes`,
  );
  for (const { name } of contenders) {
    const byThread = [...(threads.get(name) ?? [])].map(
      ([thread, micros]) => `${thread} ${quantile(micros, 0.5).toFixed(1)}`,
    );
    console.log(
      `${name}: ${spread(cpuMicros.get(name))} µs, ${spread(latencies.get(name), 2)} ms; ${byThread.join(', ')}`,
    );
  }
}

function spread(measured: readonly number[] = [], digits = 0): string {
  const middle = quantile(measured, 0.5).toFixed(digits);
  return `${middle} (${Math.min(...measured).toFixed(digits)}–${Math.max(...measured).toFixed(digits)})`;
}
