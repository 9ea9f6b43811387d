import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { type Gateway, startGateway } from '#harness/gateway';
import { openStream, type ReceivedStream, send } from '#harness/http-client';
import { startPostgres } from '#harness/postgres';
import { ask, mark } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';

/** Three real gateways on one real PostgreSQL; one after the other dies while it writes for somebody. */
const postgres = await startPostgres();
const database = await postgres.createDatabase();
export const engine = await startSimulatedEngine({ flavour: 'vllm', models: ['m'] });
const modelFile = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));
const settings = {
  listen: '127.0.0.1:0',
  database,
  service: 'campus',
  drain: '1s',
  log: { level: 'info', format: 'json' },
  engines: [
    { name: 'one', kind: 'vllm', url: engine.url },
    { name: 'own', kind: 'embedded', modelFile, threads: 1, gpu: 'off', context: 1024, start: 'demand' },
  ],
  models: [
    { id: 'm', engines: ['one'], tools: true },
    { id: 'tiny', engines: ['own'] },
  ],
  projects: [{ id: 'narrow', memberLimits: { requestsPerMinute: 1, requestsAtOnce: 1, costPerDay: 1000 } }],
};
const home = mkdtempSync(join(tmpdir(), 'gatehouse-heirs-'));
function start(name: string): Promise<Gateway> {
  mkdirSync(join(home, name), { recursive: true });
  return startGateway({ settings, dataDir: join(home, name) });
}

const names = ['one', 'two', 'three'];
const gateways: Gateway[] = [];
const dead = new Set<Gateway>();

/** All three; those that died are started again. */
export async function everybody(): Promise<[Gateway, Gateway, Gateway]> {
  for (const [index, name] of names.entries()) {
    const former = gateways[index];
    if (former === undefined || dead.has(former)) {
      const gateway = (gateways[index] = await start(name));
      void gateway.exited.then(() => dead.add(gateway));
    }
  }
  return gateways as [Gateway, Gateway, Gateway];
}

/** Instead of them all, on a machine of its own: what they have on their disks is out of its reach. */
export async function another(): Promise<Gateway> {
  const gateway = await start('another');
  gateways.splice(0, gateways.length, gateway);
  return gateway;
}

export async function stopHeirs(): Promise<void> {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await engine.stop();
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
}

const { secret } = await (await everybody())[0].createKey({ email: 'ada@example.org' });
export const headers = { authorization: `Bearer ${secret}` };
for (const { url } of gateways)
  await waitUntil(
    'the key is known',
    async () => (await send(`${url}/api/models`, { headers })).status === 200,
  );

export function open(gateway: Gateway, words: string, more: object = {}): Promise<ReceivedStream> {
  return openStream(`${gateway.url}/api/chat/completions`, {
    headers: { ...headers, 'gatehouse-resume': '60' },
    body: { model: 'm', stream: true, messages: ask(`${mark()} ${words}`), ...more },
  });
}

export async function witnessesOf(
  answers: number,
  among: readonly Gateway[],
  role = 'witnessed',
): Promise<Gateway[]> {
  const of = async (gateway: Gateway) => {
    const text = await (await fetch(gateway.metricsUrl)).text();
    return Number(new RegExp(`^gatehouse_streams_${role} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  return await waitUntil('the answers have witnesses', async () => {
    const known = await Promise.all(among.map(of));
    const all = known.reduce((sum, count) => sum + count, 0);
    return all >= answers ? among.filter((_, index) => (known[index] ?? 0) > 0) : undefined;
  });
}

/** Whole frames only: what a client knows that counts them. */
function seen(stream: ReceivedStream): { text: string; last: string } {
  const raw = stream.raw().toString();
  const text = raw.slice(0, raw.lastIndexOf('\n\n') + 2);
  return { text, last: numbersIn(text).at(-1) ?? '0' };
}

export const numbersIn = (text: string) =>
  [...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => number ?? '');
export const wordsIn = (text: string) => text.match(/w\d+ /g)?.join('') ?? '';
export const allWords = (count: number) => Array.from({ length: count }, (_, index) => `w${index} `).join('');

export async function readOn(
  gateway: Gateway,
  broken: ReceivedStream,
): Promise<{ stream: ReceivedStream; text: string }> {
  const { text, last } = seen(broken);
  const stream = await openStream(`${gateway.url}/api/streams/${String(broken.headers['x-request-id'])}`, {
    headers: { ...headers, 'last-event-id': last },
  });
  return { stream, text };
}

export async function recordsOf(ids: readonly unknown[]) {
  const client = new Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<Record<'request_id' | 'ending' | 'input' | 'output', string>>(
    'SELECT request_id, ending, input_tokens AS input, output_tokens AS output FROM usage_records WHERE NOT request_id = ANY($1) ORDER BY started_at',
    [ids],
  );
  await client.end();
  return rows;
}
