import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createAccounting } from '#accounting';
import { waitUntil } from '#harness/wait-until';
import { openStorage } from '#storage';
import { plainAccounting, sampleOpening, sampleRecord } from './sample-usage.ts';
import { silentLogger } from '#vocabulary/logger';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-troubled-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

async function open(name: string) {
  const dataDir = join(scratch, name);
  const storage = openStorage({ dataDir, logger: silentLogger });
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (_fields: object, message: string) => void errors.push(message) };
  const applier = {
    moduleUrl: new URL('./troubled-applier.ts', import.meta.url).href,
    location: storage.usageApplier.location,
  };
  const accounting = createAccounting({ ...plainAccounting, dataDir, applier, logger });
  await accounting.whenOpened();
  return { dataDir, storage, accounting, errors, location: applier.location };
}

test('a database that refuses delays the books, says so once, and loses nothing', async () => {
  const { storage, accounting, errors, location, dataDir } = await open('refusing');
  writeFileSync(`${location}.fail`, '');
  for (let request = 0; request < 50; request += 1) void accounting.settle(sampleRecord(`r-${request}`));
  await waitUntil('trouble is noticed', () => accounting.readStats().isFailing);
  void accounting.settle(sampleRecord('meanwhile'));
  await waitUntil('the batch is taken', () => accounting.readStats().pendingEntries === 0);
  rmSync(`${location}.fail`);
  await accounting.flush();
  assert.equal((await storage.usage.report({ by: 'door', since: 0, until: undefined }))[0]?.requests, 51);
  void accounting.settle(sampleRecord('last'));
  await waitUntil('the books are complete by themselves', () => storage.usage.find('last'));
  await waitUntil('the thread has said so', () => accounting.readStats().unappliedBytes === 0);
  assert.deepEqual(accounting.readStats(), {
    pendingEntries: 0,
    lostOpenings: 0,
    lostRecords: 0,
    unappliedBytes: 0,
    isWritable: true,
    isFailing: false,
  });
  assert.equal(errors.length, 1);
  await accounting.close(10_000);
  await storage.close();
  assert.deepEqual(readdirSync(join(dataDir, 'journal')), ['claim.lock']);
});

test('a journal thread that dies is replaced, and running requests are not mistaken for interrupted ones', async () => {
  const { storage, accounting, errors, location } = await open('dying');
  void accounting.open(sampleOpening('running'));
  await accounting.flush();
  writeFileSync(`${location}.die`, '');
  for (let request = 0; request < 20; request += 1) void accounting.settle(sampleRecord(`r-${request}`));
  await waitUntil('trouble is noticed', () => accounting.readStats().isFailing);
  for (let request = 20; request < 40; request += 1) void accounting.settle(sampleRecord(`r-${request}`));
  await accounting.flush();
  assert.equal(accounting.readStats().isFailing, false);
  assert.equal(await storage.usage.find('running'), undefined);
  void accounting.settle(sampleRecord('running'));
  await accounting.flush();
  assert.deepEqual(await storage.usage.find('running'), sampleRecord('running'));
  assert.equal((await storage.usage.report({ by: 'door', since: 0, until: undefined }))[0]?.requests, 41);
  assert.equal(errors.length, 1);
  await accounting.close(10_000);
  await storage.close();
});
