/**
 * `npm run bench:profile`: where the event loop's processor time goes while a gateway serves small requests or paced
 * streams. By room, and by function with the time spent in it alone. Warmed up first, so that starting is not in it.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startGatehouse, startUpstream } from './contenders.ts';
import { measureRequests, measureStreams } from './load.ts';

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

interface AllocationNode {
  readonly callFrame: CallFrame;
  readonly selfSize: number;
  readonly children: readonly AllocationNode[];
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const { values } = parseArgs({
  options: {
    repository: { type: 'string', default: new URL('..', import.meta.url).pathname },
    requests: { type: 'string', default: '20000' },
    bytes: { type: 'string', default: '1024' },
    streams: { type: 'string', default: '0' },
    limits: { type: 'boolean', default: false },
    top: { type: 'string', default: '60' },
    /** What is allocated instead, in bytes. */
    memory: { type: 'boolean', default: false },
    /** For the viewers of browsers and editors. */
    save: { type: 'string' },
  },
});
const requests = Number(values.requests);
const streams = Number(values.streams);
const upstream = await startUpstream();
const { proxy } = await startGatehouse(upstream.port, {
  repository: values.repository,
  hasLimits: values.limits,
  nodeFlags: ['--inspect=127.0.0.1:0'],
});
await measureRequests(proxy, Number(values.bytes), 8, 12_000);
const inspector = await openInspector(proxy.inspectorUrl ?? '');
const served = streams > 0 ? streams * 100 : requests + 200;
if (values.memory) {
  await inspector.call('HeapProfiler.startSampling', {
    samplingInterval: 4096,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  await load();
  const { profile } = (await inspector.call('HeapProfiler.stopSampling')) as {
    profile: { head: AllocationNode };
  };
  printSpent(allocations(profile.head), 'bytes allocated');
} else {
  await inspector.call('Profiler.enable');
  await inspector.call('Profiler.setSamplingInterval', { interval: 100 });
  await inspector.call('Profiler.start');
  await load();
  const { profile } = (await inspector.call('Profiler.stop')) as { profile: Profile };
  if (values.save !== undefined) writeFileSync(values.save, JSON.stringify(profile));
  printSpent(microseconds(profile), 'µs of wall time that was not idle');
}
for (const { stop } of [upstream, proxy]) stop();
process.exit(0);

async function openInspector(
  url: string,
): Promise<{ call(method: string, params?: object): Promise<unknown> }> {
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  let calls = 0;
  return {
    call: (method, params = {}) =>
      new Promise((resolve) => {
        calls++;
        waiting.set(calls, resolve);
        socket.send(JSON.stringify({ id: calls, method, params }));
      }),
  };
}

async function load(): Promise<void> {
  if (streams > 0) await measureStreams(proxy, streams, 50, 100);
  else await measureRequests(proxy, Number(values.bytes), 8, requests);
}

function* microseconds({ nodes, samples, timeDeltas }: Profile): Generator<[CallFrame, number]> {
  const micros = new Map<number, number>();
  for (const [index, id] of samples.entries())
    micros.set(id, (micros.get(id) ?? 0) + (timeDeltas[index + 1] ?? 0));
  for (const { id, callFrame } of nodes)
    if (callFrame.functionName !== '(idle)') yield [callFrame, micros.get(id) ?? 0];
}

function* allocations({ callFrame, selfSize, children }: AllocationNode): Generator<[CallFrame, number]> {
  yield [callFrame, selfSize];
  for (const child of children) yield* allocations(child);
}

function printSpent(spent: Iterable<[CallFrame, number]>, what: string): void {
  const alone = new Map<string, number>();
  const rooms = new Map<string, number>();
  for (const [{ functionName, url, lineNumber }, sum] of spent) {
    const name = `${functionName || '(nameless)'} ${placeOf(url)}:${lineNumber + 1}`;
    add(alone, name, sum / served);
    add(rooms, roomOf(url, functionName), sum / served);
  }
  const total = [...alone.values()].reduce((sum, value) => sum + value, 0);
  console.log(`${total.toFixed(1)} ${what}, for each of ${served}`);
  printLargest('room', rooms, 40);
  printLargest('function, by itself', alone, Number(values.top));
}

function add(into: Map<string, number>, name: string, value: number): void {
  into.set(name, (into.get(name) ?? 0) + value);
}

function printLargest(title: string, spent: ReadonlyMap<string, number>, most: number): void {
  console.log(`\n${title}`);
  const sorted = [...spent].sort((a, b) => b[1] - a[1]).slice(0, most);
  for (const [name, value] of sorted) console.log(`${value.toFixed(2).padStart(8)}  ${name}`);
}

function placeOf(url: string): string {
  return url.replace(/^file:\/\/.*\/(?=src\/|node_modules\/)/, '');
}

function roomOf(url: string, functionName: string): string {
  const place = placeOf(url);
  if (place.startsWith('src/')) return place.split('/').slice(0, 2).join('/');
  if (place.startsWith('node_modules/')) return place.split('/').slice(0, 2).join('/');
  return place === '' ? functionName : place.split('/').slice(0, 2).join('/');
}
