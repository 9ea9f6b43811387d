import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { send } from '#harness/http-client';
import { ask, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';

/** What somebody takes away is said, and never taken for a new beginning. */
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-taken-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

function startOn(home: string): Promise<{ code: number; said: string }> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    GATEHOUSE_DATA_DIR: join(home, 'data'),
    PORT: '0',
  };
  return new Promise((resolve) =>
    execFile(process.execPath, [main], { cwd: home, env }, (error, _stdout, said) =>
      resolve({ code: Number(error?.code ?? 0), said }),
    ),
  );
}

const question = (service: { direct(path: string): string }) =>
  send(`${service.direct('beta-4-scout')}/chat/completions`, {
    body: { model: 'beta-4-scout', messages: ask('hello') },
  });

test('a database that was emptied or has vanished is told at the start', async () => {
  const home = join(scratch, 'start');
  const dataDir = join(home, 'data');
  mkdirSync(dataDir, { recursive: true });
  const service = await startService({ dataDir });
  await service[Symbol.asyncDispose]();
  renameSync(join(dataDir, 'gatehouse.db'), join(home, 'aside.db'));
  const vanished = await startOn(home);
  assert.equal(vanished.code, 1);
  assert.match(vanished.said, /gatehouse\.db is gone, but there was one/);
  assert.ok(!readdirSync(dataDir).includes('gatehouse.db'), 'nothing was begun in its place');

  renameSync(join(home, 'aside.db'), join(dataDir, 'gatehouse.db'));
  truncateSync(join(dataDir, 'gatehouse.db'));
  const emptied = await startOn(home);
  assert.equal(emptied.code, 1);
  assert.match(emptied.said, /gatehouse\.db is empty/);
});

test('a data folder that is taken away from a running service is noticed, and so is its return', async () => {
  const home = join(scratch, 'running');
  const dataDir = join(home, 'data');
  mkdirSync(dataDir, { recursive: true });
  await using service = await startService({ dataDir });
  const { gateway } = service;
  assert.equal((await question(service)).status, 200);
  renameSync(dataDir, `${dataDir}-aside`);
  const unready = await waitUntil('it is not ready', async () => {
    const { status, json } = await send(`${gateway.url}/readyz`);
    const reasons = JSON.stringify(json['reasons']);
    return status === 503 && /journal/.test(reasons) && /database/.test(reasons) && json;
  });
  assert.equal(unready['status'], 'not ready');
  const refused = await question(service);
  assert.deepEqual([refused.status, refused.error.code], [503, 'usage_unwritable']);
  await waitUntil(
    'the log says so',
    () =>
      /the database was removed or replaced while/.test(gateway.logs()) &&
      /the usage journal cannot be written/.test(gateway.logs()),
  );
  renameSync(`${dataDir}-aside`, dataDir);
  await waitUntil('it is ready again', async () => (await send(`${gateway.url}/readyz`)).status === 200);
  assert.equal((await question(service)).status, 200);
});

test('an emptied or vanished settings file is a mistake, at the start and later', async () => {
  const home = join(scratch, 'settings');
  mkdirSync(home);
  writeFileSync(join(home, 'gatehouse.yaml'), '\n');
  const { code, said } = await startOn(home);
  assert.equal(code, 78);
  assert.match(said, /The settings file is empty/);

  await using service = await startService();
  const { gateway } = service;
  writeFileSync(gateway.settingsFile, '');
  await waitUntil('the empty file is told', () => gateway.logs().includes('The settings file is empty'));
  rmSync(gateway.settingsFile);
  await waitUntil('the missing file is told', () =>
    /settings file (is gone|cannot be read)/.test(gateway.logs()),
  );
  assert.equal((await question(service)).status, 200, 'the old settings stay in force');
});
