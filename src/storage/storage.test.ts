import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { dataFolderProblem, openStorage, type Storage } from './storage.ts';
import { silentLogger } from '#vocabulary/logger';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-storage-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

let directories = 0;
function freshDirectory(): string {
  directories += 1;
  return join(scratch, `data-${directories}`);
}

function open(dataDir: string, queriesRunIn: 'own-thread' | 'this-thread' = 'own-thread'): Storage {
  return openStorage({ dataDir, logger: silentLogger, queriesRunIn });
}

const ada = {
  id: 'person_ada',
  email: 'Ada@Example.org',
  name: 'Ada',
  role: 'person',
  state: 'active',
  createdAt: 1_000,
  passwordHash: undefined,
} as const;

test('the directory and the file are for their owner alone', async () => {
  const dataDir = freshDirectory();
  const storage = open(dataDir);
  await storage.people.insert(ada);
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  for (const file of ['gatehouse.db', 'gatehouse.db-wal']) {
    assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600);
  }
  await storage.close();
  await storage.close();
});

test('a directory that cannot be used is explained in a sentence', async () => {
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  assert.match(
    dataFolderProblem('/data', full)?.message ?? '',
    /\/data cannot be used .* The disk is full; free/,
  );
  assert.equal(dataFolderProblem('/data', new Error('a bug')), undefined);
  const file = join(scratch, 'a-file');
  writeFileSync(file, '');
  assert.throws(
    () => open(file),
    (problem) => problem instanceof OperatorProblem && /is a file/.test(problem.message),
  );

  const foreign = freshDirectory();
  await open(foreign).close();
  rmSync(join(foreign, 'gatehouse.db'));
  writeFileSync(join(foreign, 'gatehouse.db'), 'not a database, but long enough to be looked at'.repeat(100));
  assert.throws(() => open(foreign), /not a Gatehouse database/);
});

test('a database of a newer version is left alone', async () => {
  const dataDir = freshDirectory();
  await open(dataDir).close();
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  database.exec("INSERT INTO migrations VALUES (999, 'from the future', 0)");
  database.close();
  assert.throws(() => open(dataDir), /newer version of Gatehouse \(schema step 999\)/);
});

test('a new database is told in one line, and what an upgrade brings step by step', async () => {
  const dataDir = freshDirectory();
  const told: string[] = [];
  const logger = { ...silentLogger, info: (_details: object, line: string) => void told.push(line) };
  const start = () => openStorage({ dataDir, logger, queriesRunIn: 'this-thread' }).close();
  await start();
  assert.deepEqual(told, ['a new database was made']);
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  database.exec("DELETE FROM migrations WHERE name = 'keys by age'; DROP INDEX api_keys_by_age");
  database.close();
  await start();
  assert.deepEqual(told.slice(1), ['database schema brought forward']);
});

test('processes that start together make one schema', async () => {
  const dataDir = freshDirectory();
  const script = `
    const { openStorage } = await import(${JSON.stringify(new URL('./storage.ts', import.meta.url).href)});
    const logger = { info() {}, warn() {}, error() {}, debug() {}, child: () => logger };
    const storage = openStorage({ dataDir: ${JSON.stringify(dataDir)}, logger });
    console.log(await storage.people.count());
    await storage.close();`;
  const runs = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]),
  );
  for (const { stdout } of await Promise.all(runs)) assert.equal(stdout, '0\n');
});

for (const queriesRunIn of ['own-thread', 'this-thread'] as const) {
  test(`a writer elsewhere delays a query and not the event loop, in ${queriesRunIn}`, async () => {
    const dataDir = freshDirectory();
    const storage = open(dataDir, queriesRunIn);
    const other = new DatabaseSync(join(dataDir, 'gatehouse.db'));
    other.exec('BEGIN IMMEDIATE');
    let isInserted = false;
    const insertion = storage.people.insert(ada).then(() => {
      isInserted = true;
    });
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(isInserted, false);
    other.exec('COMMIT');
    await insertion;
    assert.equal((await storage.people.find(ada.id))?.name, 'Ada');
    other.close();
    await storage.close();
  });
}
