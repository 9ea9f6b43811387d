import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { OperatorProblem } from '#vocabulary/operator-problem';
import { Refusal } from '#vocabulary/refusal';
import { openStorage, type Storage } from './storage.ts';

const silentLogger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLogger };
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

const keyOf = (id: string, digest: string) => ({
  id,
  personId: ada.id,
  name: 'laptop',
  prefix: `gh_${id}`,
  digest,
  createdAt: 2_000,
  expiresAt: undefined,
  models: ['alpha-R1'],
  networks: [],
});

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

test('e-mail addresses are unique whatever their letter case', async () => {
  const storage = open(freshDirectory());
  await storage.people.insert(ada);
  await assert.rejects(
    storage.people.insert({ ...ada, id: 'person_other', email: 'ADA@example.ORG' }),
    (refusal) => refusal instanceof Refusal && refusal.code === 'conflict',
  );
  assert.equal((await storage.people.findByEmail(' ada@example.org'))?.email, 'Ada@Example.org');
  assert.deepEqual((await storage.people.list({ search: 'a%', limit: 10 })).length, 0);
  assert.deepEqual((await storage.people.list({ search: 'EXAMPLE', limit: 10 })).length, 1);
  await storage.close();
});

test('an identity belongs to one person', async () => {
  const storage = open(freshDirectory());
  await storage.people.insert(ada);
  await storage.people.insert({ ...ada, id: 'person_bob', email: 'bob@example.org' });
  const identity = { issuer: 'https://login.example.org', subject: '42' };
  await storage.identities.link(ada.id, identity, 5_000);
  assert.equal((await storage.identities.find(identity))?.personId, ada.id);
  await assert.rejects(storage.identities.link('person_bob', identity, 6_000), Refusal);
  await storage.close();
});

test('another connection hears of every change of access and of no mere use', async () => {
  const dataDir = freshDirectory();
  const [here, there] = [open(dataDir, 'this-thread'), open(dataDir)];
  await here.people.insert(ada);
  await here.keys.insert(keyOf('key_1', 'd1'));
  let { revision } = await there.keys.readAccessChanges(0);
  const look = async () => {
    const changes = await there.keys.readAccessChanges(revision);
    ({ revision } = changes);
    assert.ok(changes.isComplete);
    return { keyIds: changes.keyIds, personIds: changes.personIds };
  };

  await here.keys.noteUses([
    { keyId: 'key_1', usedAt: 9_000, address: '192.0.2.1' },
    { keyId: 'key_gone', usedAt: 9_000, address: '192.0.2.1' },
  ]);
  await here.people.noteSeen(ada.id, 9_000);
  assert.deepEqual(await look(), { keyIds: [], personIds: [] });
  assert.equal((await there.keys.find('key_1'))?.lastUsedAddress, '192.0.2.1');

  await here.keys.revoke('key_1', 9_500);
  assert.deepEqual(await look(), { keyIds: ['key_1'], personIds: [] });
  assert.deepEqual(await there.keys.readCredentials(), []);

  await here.keys.insert(keyOf('key_2', 'd2'));
  assert.deepEqual(await look(), { keyIds: ['key_2'], personIds: [] });
  assert.equal((await there.keys.readCredentials())[0]?.digest, 'd2');

  await here.people.update(ada.id, { state: 'disabled' });
  assert.deepEqual(await look(), { keyIds: [], personIds: [ada.id] });
  assert.deepEqual(await there.keys.readCredentials(), []);

  await here.people.remove(ada.id);
  assert.deepEqual(await look(), { keyIds: ['key_1', 'key_2'], personIds: [ada.id] });
  await Promise.all([here.close(), there.close()]);
});

test('a reader behind the pruned log is told to read everything', async () => {
  const dataDir = freshDirectory();
  const storage = open(dataDir);
  await storage.people.insert(ada);
  await storage.keys.insert(keyOf('key_1', 'd1'));
  const { revision } = await storage.keys.readAccessChanges(0);
  const other = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  other.exec('BEGIN');
  const rename = other.prepare('UPDATE api_keys SET name = ?');
  for (let change = 0; change < 10_050; change += 1) rename.run(`name ${change}`);
  other.exec('COMMIT');
  other.close();
  const changes = await storage.keys.readAccessChanges(revision);
  assert.equal(changes.isComplete, false);
  assert.equal((await storage.keys.readAccessChanges(changes.revision)).isComplete, true);
  await storage.close();
});

test('a key can be replaced once', async () => {
  const storage = open(freshDirectory());
  await storage.people.insert(ada);
  await storage.keys.insert(keyOf('key_1', 'd1'));
  assert.equal(await storage.keys.replace('key_1', 50_000, keyOf('key_2', 'd2')), true);
  assert.equal(await storage.keys.replace('key_1', 60_000, keyOf('key_3', 'd3')), false);
  const old = await storage.keys.find('key_1');
  assert.equal(old?.successorId, 'key_2');
  assert.equal(old?.expiresAt, 50_000);
  assert.equal(await storage.keys.find('key_3'), undefined);
  assert.equal(await storage.keys.countUsable(ada.id, 40_000), 2);
  assert.equal(await storage.keys.countUsable(ada.id, 50_000), 1);
  await storage.close();
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

  test(`a transaction that fails leaves nothing behind, in ${queriesRunIn}`, async () => {
    const storage = open(freshDirectory(), queriesRunIn);
    await storage.people.insert(ada);
    await storage.keys.insert(keyOf('key_1', 'd1'));
    await assert.rejects(storage.keys.replace('key_1', 50_000, keyOf('key_2', 'd1')), /UNIQUE/);
    assert.equal((await storage.keys.find('key_1'))?.successorId, undefined);
    assert.equal(await storage.keys.replace('key_1', 50_000, keyOf('key_2', 'd2')), true);
    await storage.close();
  });
}

test('queries asked at the same time are answered each with its own', async () => {
  const storage = open(freshDirectory());
  await storage.people.insert(ada);
  const emails = Array.from({ length: 50 }, (_, index) => `p${index}@example.org`);
  await Promise.all(
    emails.map((email, index) => storage.people.insert({ ...ada, id: `person_${index}`, email })),
  );
  const found = await Promise.all(emails.map((email) => storage.people.findByEmail(email)));
  assert.deepEqual(
    found.map((person) => person?.email),
    emails,
  );
  await storage.close();
  await assert.rejects(storage.people.count());
});
