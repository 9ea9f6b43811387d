/** Callers who ask one question after another on many connections: a process of its own, one job by message. */
import { createHistogram } from 'node:perf_hooks';
import { Pool } from 'undici';

export interface RequestJob {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
}

export interface RequestCounts {
  readonly answered: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

process.on('message', (job) => void work(job as RequestJob).then((counts) => process.send?.(counts)));
process.send?.({ port: 0 });

async function work({ url, headers, connections, seconds }: RequestJob): Promise<RequestCounts> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections });
  const content = 'a'.repeat(950);
  const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content }] });
  const latencies = createHistogram();
  const until = performance.now() + seconds * 1000;
  let [answered, failed] = [0, 0];
  const caller = async () => {
    while (performance.now() < until) {
      const begun = performance.now();
      const isAnswered = await pool
        .request({ path, method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
        .then(async (response) => {
          await response.body.dump();
          return response.statusCode === 200;
        })
        .catch(() => false);
      if (isAnswered) answered++;
      else failed++;
      latencies.record(Math.max(1, Math.round((performance.now() - begun) * 1000)));
    }
  };
  await Promise.all(Array.from({ length: connections }, caller));
  await pool.close();
  return { answered, failed, p50Ms: latencies.percentile(50) / 1000, p99Ms: latencies.percentile(99) / 1000 };
}
