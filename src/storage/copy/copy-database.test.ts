import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { sharedPostgres } from '#harness/databases';
import { openDatabase, openStorage, type Storage } from '../storage.ts';
import { copyToPostgres, copyToSqlite } from './copy-database.ts';
import { silentLogger } from '#vocabulary/logger';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-copy-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const ada = {
  id: 'person_ada',
  email: 'ada@example.org',
  name: 'Ada \u0000',
  role: 'person',
  state: 'active',
  createdAt: 1_000,
  passwordHash: undefined,
} as const;

const keyOf = (id: string) => ({
  id,
  personId: ada.id,
  name: 'laptop',
  prefix: `gh_${id}`,
  digest: `digest of ${id}`,
  createdAt: 2_000,
  expiresAt: undefined,
  models: [],
  networks: [],
});

const chat = {
  id: 'chat_1',
  personId: ada.id,
  title: 'Crème brûlée',
  titleSource: 'person',
  model: 'm',
  effort: null,
  systemPrompt: '',
  parameters: { temperature: 0.1 },
  isPinned: false,
  archivedAt: null,
  folderId: null,
  activeLeafId: null,
  share: null,
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
} as const;

const document = {
  id: 'document_1',
  personId: ada.id,
  name: 'notes.txt',
  kind: 'text',
  mediaType: 'text/plain',
  bytes: 4,
  pageCount: 1,
  characters: 0,
  digest: null,
  textDigest: null,
  state: 'ready',
  createdAt: 1,
} as const;

async function fill(storage: Storage): Promise<void> {
  await storage.people.insert(ada);
  for (let index = 0; index < 250; index += 1) await storage.keys.insert(keyOf(`key_${index}`));
  await storage.keys.revoke('key_7', 5_000);
  await storage.conversations.insertChat(chat, []);
  await storage.documents.insert(document);
  await storage.documents.addPart('document_1', 0, new Uint8Array([0, 1, 254, 255]));
  await storage.documents.addPassages('document_1', [{ page: 1, start: 0, text: 'zebra' }]);
  const [passage] = await storage.vectors.readUnembedded('document_1', 1);
  const vector = Int8Array.from([127, -128, -1]);
  await storage.vectors.addVectors('document_1', 'm', [{ position: passage?.position ?? 0, vector }]);
}

/** Not only that the rows are there: that one can work with them and go on. */
async function lookAt(storage: Storage, newKeyId: string): Promise<void> {
  assert.equal((await storage.keys.readCredentials()).length >= 249, true);
  assert.equal((await storage.keys.find('key_7'))?.revokedAt, 5_000);
  const words = { terms: ['creme'], isLastUnfinished: false };
  const found = await storage.conversations.searchChats(ada.id, words, { skip: 0, limit: 5 });
  assert.equal(found.at(-1)?.chat.id, 'chat_1');
  assert.deepEqual(
    [...((await Array.fromAsync(storage.documents.readParts('document_1')))[0] ?? [])],
    [0, 1, 254, 255],
  );
  assert.equal((await storage.documents.search(['document_1'], ['zebra'], 5)).length, 1);
  const [vectors] = await Array.fromAsync(storage.vectors.readVectors('document_1', 'm'));
  assert.deepEqual([...(vectors?.[0]?.vector ?? [])], [127, -128, -1]);
  const { revision } = await storage.keys.readAccessChanges(0);
  await storage.keys.insert(keyOf(newKeyId));
  const changes = await storage.keys.readAccessChanges(revision);
  assert.deepEqual([changes.isComplete, changes.keyIds], [true, [newKeyId]]);
  await storage.conversations.insertChat({ ...chat, id: `chat of ${newKeyId}` }, []);
  assert.ok((await storage.conversations.countStoredBytes(ada.id)) > 1_000);
}

test('a service moves from SQLite to PostgreSQL and back, row by row, and goes on there', async () => {
  const server = await sharedPostgres();
  const address = await server.createDatabase();
  const [first, second] = [join(scratch, 'first'), join(scratch, 'second')];
  const sqlite = openStorage({ dataDir: first, logger: silentLogger, queriesRunIn: 'this-thread' });
  await fill(sqlite);
  await sqlite.close();

  const there = await copyToPostgres(first, address, silentLogger);
  assert.equal(there.tables.find(({ name }) => name === 'api_keys')?.rows, 250);
  await assert.rejects(copyToPostgres(first, address, silentLogger), /is not empty/);
  const postgres = await openDatabase({ dataDir: first, database: address, logger: silentLogger });
  await lookAt(postgres, 'key_new');
  await postgres.close();

  const back = await copyToSqlite(address, second, silentLogger);
  assert.equal(back.tables.find(({ name }) => name === 'api_keys')?.rows, 251);
  await assert.rejects(copyToSqlite(address, second, silentLogger), /already holds a database/);
  const again = openStorage({ dataDir: second, logger: silentLogger, queriesRunIn: 'this-thread' });
  await lookAt(again, 'key_newest');
  await again.close();
});

test('a copy that fails leaves the target as it was', async () => {
  const server = await sharedPostgres();
  const address = await server.createDatabase();
  const dataDir = join(scratch, 'failing');
  const sqlite = openStorage({ dataDir, logger: silentLogger, queriesRunIn: 'this-thread' });
  await fill(sqlite);
  await sqlite.close();
  const database = await openDatabase({
    dataDir: join(scratch, 'other'),
    database: address,
    logger: silentLogger,
  });
  await database.people.insert({ ...ada, id: 'somebody', email: 'x@example.org' });
  await assert.rejects(copyToPostgres(dataDir, address, silentLogger), /is not empty \(people\)/);
  assert.equal(await database.people.count(), 1);
  await database.close();
  await assert.rejects(
    copyToSqlite(address.replace(/\d+$/, '999'), join(scratch, 'nothing'), silentLogger),
    /cannot be reached/,
  );
  assert.equal(existsSync(join(scratch, 'nothing', 'gatehouse.db')), false);
});

test('a copy whose rows are not the same afterwards counts for nothing', async () => {
  const address = await (await sharedPostgres()).createDatabase();
  const dataDir = join(scratch, 'changed');
  const sqlite = openStorage({ dataDir, logger: silentLogger, queriesRunIn: 'this-thread' });
  await fill(sqlite);
  await sqlite.close();
  await (
    await openDatabase({ dataDir: join(scratch, 'empty'), database: address, logger: silentLogger })
  ).close();
  const client = new Client({ connectionString: address });
  await client.connect();
  // A rule of the server's own: what is written is not what is read again.
  await client.query("CREATE RULE shout AS ON INSERT TO people DO ALSO UPDATE people SET name = 'ADA'");
  await assert.rejects(
    copyToPostgres(dataDir, address, silentLogger),
    /rows of people are not the same.*is as it was/,
  );
  const { rows } = await client.query<{ rows: string }>('SELECT count(*) AS rows FROM people');
  assert.equal(Number(rows[0]?.rows), 0);
  await client.end();
});
