import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { people } from './migrations/001-people.ts';
import { keys } from './migrations/002-keys.ts';
import { usage } from './migrations/003-usage.ts';
import { accounts } from './migrations/010-accounts.ts';
import { conversations } from './migrations/011-conversations.ts';
import { openStorage } from './storage.ts';
import { silentLogger } from '#vocabulary/logger';

test('an upgrade gives accounts to the provider that brought them and lets go what an address joined', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'));
  const old = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  old.exec(
    'CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL)',
  );
  for (const { number, name, sql } of [people, keys, usage, accounts, conversations]) {
    old.exec(sql);
    old.prepare('INSERT INTO migrations VALUES (?, ?, 0)').run(number, name);
  }
  const add = old.prepare("INSERT INTO people VALUES (?, ?, ?, ?, 'person', 'active', ?, 1000, NULL)");
  for (const id of ['brought', 'local']) add.run(id, `${id}@x.org`, `${id}@x.org`, id, 'scrypt$of-their-own');
  const link = old.prepare('INSERT INTO identities VALUES (?, ?, ?, ?)');
  link.run('https://a.example', '1', 'brought', 1001);
  link.run('https://b.example', '2', 'brought', 900_000);
  link.run('https://a.example', '3', 'local', 900_000);
  old.prepare("INSERT INTO sign_in_links VALUES ('digest', 'local', 0, 9e15)").run();
  old.close();

  const storage = openStorage({ dataDir, logger: silentLogger, queriesRunIn: 'this-thread' });
  assert.equal((await storage.people.find('brought'))?.managedBy, 'https://a.example');
  assert.equal(await storage.people.readPasswordHash('brought'), undefined);
  assert.deepEqual(
    (await storage.identities.listOf('brought')).map(({ issuer }) => issuer),
    ['https://a.example'],
  );
  assert.equal((await storage.people.find('local'))?.managedBy, undefined);
  assert.equal(await storage.people.readPasswordHash('local'), 'scrypt$of-their-own');
  assert.deepEqual(await storage.identities.listOf('local'), []);
  assert.equal(await storage.signInLinks.take('digest', 1), undefined);
  await storage.close();
  rmSync(dataDir, { recursive: true });
});
