import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Contender } from './contenders.ts';
import { type ProcessTree, watchProcessTree } from './process-tree.ts';

export interface RequestFigures {
  readonly cpuMicros: number;
  readonly perSecond: number;
  readonly medianMs: number;
}

/** `count` requests over `connections` connections, one after another on each. */
export async function measureRequests(
  contender: Contender,
  bodyBytes: number,
  connections: number,
  count: number,
  /** With the processor time of what is done when all have been answered, as bringing records into a database. */
  isToTheEnd = false,
): Promise<RequestFigures> {
  const body = JSON.stringify({
    model: contender.model ?? 'bench',
    messages: [{ role: 'user', content: 'a'.repeat(Math.max(1, bodyBytes - 70)) }],
  });
  const url = new URL(contender.url);
  const pool = new Pool(url.origin, { connections });
  const tree = watchProcessTree(contender.processId);
  const latencies: number[] = [];
  const send = async () => {
    const started = performance.now();
    const response = await pool.request({
      path: url.pathname,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...contender.headers },
      body,
    });
    await response.body.dump();
    if (response.statusCode !== 200) throw new Error(`${contender.name} answered ${response.statusCode}`);
    latencies.push(performance.now() - started);
  };
  try {
    for (let index = 0; index < Math.min(200, count / 4); index++) await send();
    latencies.length = 0;
    const cpuBefore = tree.cpuMs();
    const started = performance.now();
    let left = count;
    const worker = async () => {
      while (left-- > 0) await send();
    };
    await Promise.all(Array.from({ length: connections }, worker));
    const seconds = (performance.now() - started) / 1000;
    if (isToTheEnd) await untilQuiet(tree);
    else await sleep(50);
    const cpuMs = tree.cpuMs() - cpuBefore;
    return {
      cpuMicros: (cpuMs * 1000) / count,
      perSecond: count / seconds,
      medianMs: quantile(latencies, 0.5),
    };
  } finally {
    // Whatever is still on its way when one request has failed must not cost the next contender time.
    await pool.destroy();
  }
}

/** Books are brought in a quarter of a second after the last request. */
async function untilQuiet(tree: ProcessTree): Promise<void> {
  let [before, now] = [-Infinity, tree.cpuMs()];
  for (let look = 0; look < 10 && now - before > 10; look++) {
    await sleep(350);
    [before, now] = [now, tree.cpuMs()];
  }
}

export interface StreamFigures {
  readonly cpuMicrosPerFrame: number;
  readonly bytesPerStream: number;
  /** Between two reads that carried frames, 99th percentile. */
  readonly gapP99Ms: number;
  readonly errors: number;
}

/** Many streams at a fixed pace. Memory is what the process gained while all were open. */
export async function measureStreams(
  contender: Contender,
  streams: number,
  paceMs: number,
  frames: number,
): Promise<StreamFigures> {
  // In the text, because not every gateway passes fields on that it does not know.
  const content = `pace=${paceMs} frames=${frames} ${'a'.repeat(900)}`;
  const body = JSON.stringify({
    model: contender.model ?? 'bench',
    stream: true,
    messages: [{ role: 'user', content }],
  });
  const url = new URL(contender.url);
  const pool = new Pool(url.origin, { connections: streams });
  const tree = watchProcessTree(contender.processId);
  const residentBefore = tree.residentBytes();
  const gaps: number[] = [];
  let seen = 0;
  let errors = 0;
  const cpuBefore = tree.cpuMs();
  const run = async () => {
    try {
      const response = await pool.request({
        path: url.pathname,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...contender.headers },
        body,
      });
      let last = 0;
      let text = '';
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        const now = performance.now();
        if (last > 0) gaps.push(now - last);
        last = now;
        let at = -1;
        while ((at = chunk.indexOf('\n\n', at + 1)) >= 0) seen++;
        text = chunk.toString('latin1').slice(-20);
      }
      if (!text.includes('[DONE]')) errors++;
    } catch {
      errors++;
    }
  };
  const all = Promise.all(Array.from({ length: streams }, run));
  await sleep(paceMs * frames * 0.6);
  const residentDuring = tree.residentBytes();
  await all;
  const cpuMs = tree.cpuMs() - cpuBefore;
  await pool.close();
  return {
    cpuMicrosPerFrame: (cpuMs * 1000) / Math.max(1, seen),
    bytesPerStream: (residentDuring - residentBefore) / streams,
    gapP99Ms: quantile(gaps, 0.99),
    errors,
  };
}

export function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}
