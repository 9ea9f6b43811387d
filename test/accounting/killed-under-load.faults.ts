import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startGateway, type Gateway } from '#harness/gateway';
import { send } from '#harness/http-client';
import { standardModels } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { sealEntries, writeSettlement } from '../../src/accounting/journal-line.ts';
import { compare, type CountedRequest, startLoad } from './counted-load.ts';
import { sampleRecord } from './sample-usage.ts';

/** The real program under load, killed at random moments; then its books against what callers got, one by one. */
const kills = Number(process.env['KILLS'] ?? 3);
const callers = 24;
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-kills-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const engine = await startSimulatedEngine({ flavour: 'vllm', models: ['org/beta'] });
after(() => engine.stop());

const settings = {
  listen: '127.0.0.1:0',
  log: { level: 'warn', format: 'json' },
  directNetworks: ['127.0.0.0/8'],
  engines: [{ name: 'engine-a', kind: 'vllm', url: engine.url, maxConcurrent: 1000 }],
  models: [{ ...standardModels[1], engines: [{ engine: 'engine-a', model: 'org/beta' }] }],
};

const chatUrl = (gateway: Gateway) => `${gateway.url}/beta-4-scout/v1/chat/completions`;
const preload = `--import=${new URL('./faulty-disk.ts', import.meta.url).href}`;

function open(name: string, accounting: Readonly<Record<string, string>> = {}) {
  const dataDir = join(scratch, name);
  const diskFile = join(scratch, `${name}.disk`);
  mkdirSync(dataDir);
  const setDisk = (mood: '' | 'slow' | 'full' | 'unsynced') => writeFileSync(diskFile, mood);
  setDisk('');
  const start = () =>
    startGateway({
      settings: { ...settings, accounting },
      dataDir,
      env: { NODE_OPTIONS: preload, FAULTY_DISK: diskFile },
    });
  return { dataDir, setDisk, start };
}

/** Everything that any process left behind is in the books when nothing but the common lock is left. */
async function readBooks({ dataDir, start }: ReturnType<typeof open>) {
  const gateway = await start();
  await waitUntil(
    'the journals of the dead are adopted',
    () => readdirSync(join(dataDir, 'journal')).length === 2,
    60_000,
  );
  const rows = gateway.usageRecords().filter(({ address }) => address !== sampleRecord('').address);
  await gateway.stop();
  assert.deepEqual(readdirSync(join(dataDir, 'journal')), ['claim.lock']);
  return rows;
}

async function killRepeatedly(
  house: ReturnType<typeof open>,
  faults: {
    readonly beforeStart?: (round: number) => void;
    /** Gives the way back. */
    readonly underLoad?: () => () => void;
    readonly forgivenMs?: number;
  } = {},
): Promise<void> {
  const requests: CountedRequest[] = [];
  const killedAt = new Map<CountedRequest, number>();
  for (let round = 0; round < kills; round += 1) {
    faults.beforeStart?.(round);
    const gateway = await house.start();
    const load = startLoad(chatUrl(gateway), callers);
    const undo = faults.underLoad?.();
    if (round === 0)
      await waitUntil('somebody is served', () => load.requests.some(({ isDelivered }) => isDelivered));
    await pause(200 + Math.random() * 4_000);
    await gateway.kill();
    const killedMs = performance.now();
    await load.stop();
    undo?.();
    for (const one of load.requests) killedAt.set(one, killedMs);
    requests.push(...load.requests);
  }
  house.setDisk('');
  const rows = await readBooks(house);
  const result = compare(requests, engine, rows, (one) => killedAt.get(one) ?? 0, faults.forgivenMs);
  const { mistakes, ...counts } = result;
  console.log(JSON.stringify({ kills, ...counts }));
  assert.deepEqual(mistakes, []);
  assert.ok(result.delivered > 0);
}

test('killed on a healthy disk', async () => {
  await killRepeatedly(open('healthy'));
});

test('killed on a disk that takes up to a second for a write and three for a sync', async () => {
  const house = open('slow');
  house.setDisk('slow');
  // What was to be written waits for the write before it, and takes as long again.
  await killRepeatedly(house, { forgivenMs: 4_500 });
});

test('killed while somebody else holds the database locked', async () => {
  const house = open('locked');
  await killRepeatedly(house, {
    underLoad() {
      const database = new DatabaseSync(join(house.dataDir, 'gatehouse.db'), { timeout: 5000 });
      database.exec('BEGIN IMMEDIATE');
      return () => database.close();
    },
  });
});

test('killed during the replay of a long journal of a dead process', async () => {
  const house = open('replaying');
  await killRepeatedly(house, {
    beforeStart(round) {
      const dead = join(house.dataDir, 'journal', `dead-${round}`);
      mkdirSync(dead, { recursive: true });
      let entries = '';
      for (let index = 0; index < 60_000; index += 1)
        entries += writeSettlement(sampleRecord(`old-${round}-${index}`));
      writeFileSync(join(dead, 'usage-00000001.journal'), sealEntries(entries));
    },
  });
});

test('an answer that has to be synced ends when the disk has its record, others when the system has it', async () => {
  const [synced, written] = [open('synced', { durability: 'synced' }), open('written')];
  const [slowGateway, gateway] = await Promise.all([synced.start(), written.start()]);
  const ask = (to: Gateway) =>
    send(chatUrl(to), { body: { model: 'beta-4-scout', messages: [{ role: 'user', content: 'Hello' }] } });
  await Promise.all([ask(slowGateway), ask(gateway)]);
  synced.setDisk('unsynced');
  written.setDisk('unsynced');
  let hasEnded = false;
  const answer = ask(slowGateway).then((answered) => {
    hasEnded = true;
    return answered;
  });
  for (let round = 0; round < 5; round += 1) assert.equal((await ask(gateway)).status, 200);
  assert.equal(hasEnded, false);
  synced.setDisk('');
  assert.equal((await answer).status, 200);
  written.setDisk('');
  await Promise.all([slowGateway.stop(), gateway.stop()]);
});

test('a full disk: new work is refused, nothing is delivered without its record, and a stop says what was lost', async () => {
  const house = open('full');
  const gateway = await house.start();
  const load = startLoad(chatUrl(gateway), callers);
  await waitUntil('some are served', () => load.requests.filter((one) => one.isDelivered).length > 100);
  house.setDisk('full');
  await waitUntil('it says why it is not ready', async () => {
    const { status, text } = await send(`${gateway.url}/readyz`);
    return status === 503 && text.includes('usage journal cannot be written: ENOSPC');
  });
  await waitUntil('new work is refused', () =>
    load.requests.some(
      ({ errorCode, frameTimes }) => errorCode === 'usage_unwritable' && frameTimes.length === 0,
    ),
  );
  await waitUntil(
    'answers that had begun end with an error instead of waiting for ever',
    () =>
      load.requests.some(
        ({ errorCode, frameTimes }) => errorCode === 'usage_unwritable' && frameTimes.length > 0,
      ),
    30_000,
  );
  house.setDisk('');
  await waitUntil('it is ready again', async () => (await send(`${gateway.url}/readyz`)).status === 200);
  const servedBefore = load.requests.length;
  await waitUntil('new work is served', () =>
    load.requests.slice(servedBefore).some(({ isDelivered }) => isDelivered),
  );
  house.setDisk('full');
  await waitUntil('it is not ready', async () => (await send(`${gateway.url}/readyz`)).status === 503);
  const stopping = load.stop();
  gateway.signal('SIGTERM');
  await stopping;
  assert.equal(await gateway.exited, 1);
  const lost = /"lostUsage":(\d+)/.exec(gateway.logs())?.[1];
  assert.ok(Number(lost) > 0, gateway.logs().slice(-2000));
  house.setDisk('');
  const { mistakes } = compare(load.requests, engine, await readBooks(house), () => 0);
  assert.deepEqual(mistakes, []);
});
