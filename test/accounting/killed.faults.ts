import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createAccounting } from '#accounting';
import { openStorage } from '#storage';
import { waitUntil } from '#harness/wait-until';
import { plainAccounting, sampleOpening, sampleRecord } from './sample-usage.ts';
import { silentLogger } from '#vocabulary/logger';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-killed-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const childPath = fileURLToPath(new URL('./journaling-child.ts', import.meta.url));

interface Promised {
  readonly settled: string[];
  readonly left: string[];
}

/** Resolves after `rounds` promises, with the child still journaling. */
async function startChild(dataDir: string, name: string, rounds: number) {
  const child = spawn(process.execPath, [childPath, dataDir, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  const promised: Promised = { settled: [], left: [] };
  const lines = createInterface({ input: child.stdout });
  const enough = Promise.withResolvers<void>();
  let heard = 0;
  lines.on('line', (line) => {
    const { settled, left } = JSON.parse(line) as Promised;
    promised.settled.push(...settled);
    promised.left.push(...left);
    heard += 1;
    if (heard === rounds) enough.resolve();
  });
  await enough.promise;
  return { child, promised };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function restart(dataDir: string): Promise<void> {
  const storage = openStorage({ dataDir, logger: silentLogger });
  const accounting = createAccounting({
    ...plainAccounting,
    dataDir,
    applier: storage.usageApplier,
    logger: silentLogger,
  });
  await accounting.flush();
  await accounting.close(10_000);
  await storage.close();
}

function readEndings(dataDir: string): Map<string, { ending: string; tokens: number; isEstimated: boolean }> {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true });
  const rows = database.prepare('SELECT * FROM usage_records').all();
  database.close();
  const endings = new Map(
    rows.map((row) => [
      String(row['request_id']),
      {
        ending: String(row['ending']),
        tokens: Number(row['input_tokens']) + Number(row['output_tokens']),
        isEstimated: row['is_estimated'] === 1,
      },
    ]),
  );
  assert.equal(endings.size, rows.length);
  return endings;
}

const measured = { ending: 'completed', tokens: 270, isEstimated: false };
const interrupted = { ending: 'interrupted', tokens: 251, isEstimated: true };

test('after each of several kills every request has exactly one record, and the right one', async () => {
  const dataDir = join(scratch, 'kills');
  const all: Promised = { settled: [], left: [] };
  for (const [index, rounds] of [1, 3, 6].entries()) {
    const { child, promised } = await startChild(dataDir, `run${index}`, rounds);
    await kill(child);
    all.settled.push(...promised.settled);
    all.left.push(...promised.left);
  }
  await restart(dataDir);
  const endings = readEndings(dataDir);
  for (const id of all.settled) assert.deepEqual(endings.get(id), measured, id);
  for (const id of all.left) assert.deepEqual(endings.get(id), interrupted, id);
  assert.deepEqual(readdirSync(join(dataDir, 'journal')), ['claim.lock']);

  await restart(dataDir);
  assert.deepEqual(readEndings(dataDir), endings);
});

test('two processes leave the requests of each other alone, until one of them dies', async () => {
  const dataDir = join(scratch, 'two');
  const storage = openStorage({ dataDir, logger: silentLogger });
  const accounting = createAccounting({
    ...plainAccounting,
    dataDir,
    applier: storage.usageApplier,
    logger: silentLogger,
  });
  void accounting.open(sampleOpening('running'));
  await accounting.flush();

  const { child, promised } = await startChild(dataDir, 'beside', 3);
  assert.equal(readEndings(dataDir).has('running'), false);
  void accounting.settle(sampleRecord('running'));
  await accounting.flush();
  assert.deepEqual(readEndings(dataDir).get('running'), measured);

  await kill(child);
  await waitUntil(
    'the living one has adopted the journal of the dead one',
    () => readdirSync(join(dataDir, 'journal')).length === 2,
    60_000,
  );
  const endings = readEndings(dataDir);
  await accounting.close(10_000);
  await storage.close();
  for (const id of promised.settled) assert.deepEqual(endings.get(id), measured, id);
  for (const id of promised.left) assert.deepEqual(endings.get(id), interrupted, id);
});
