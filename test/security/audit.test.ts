import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { password, type Stage, startStage } from '../console/stage.ts';
import type { Visitor } from '../console/visitor.ts';

const launcher = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

function gatehouse(dataDir: string, ...args: string[]) {
  const env = { PATH: process.env['PATH'], HOME: dataDir, GATEHOUSE_DATA_DIR: dataDir };
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [launcher, ...args], { cwd: dataDir, env }, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

async function idOf(visitor: Visitor): Promise<string> {
  return (await visitor.ok('GET /console/session')).person!.id;
}

function tokenOf(url: string): string {
  return url.slice(url.indexOf('#link=') + 6);
}

/** An administrator and a member do what people do. */
async function live(stage: Stage) {
  const root = await stage.arrive('Root', 'administrator');
  const ada = await stage.arrive('Ada', 'person', password);
  const personId = await idOf(ada);
  const { key, secret } = await ada.ok('POST /console/keys', { body: { name: 'notebook' } });
  const rotated = await ada.ok('POST /console/keys/:keyId/rotate', {
    keyId: key.id,
    body: { overlapHours: 1 },
  });
  await root.ok('DELETE /console/administration/people/:personId/keys/:keyId', { personId, keyId: key.id });
  const people = 'PATCH /console/administration/people/:personId';
  await root.ok(people, { personId, body: { role: 'administrator' } });
  await root.ok(people, { personId, body: { role: 'person' } });
  await root.ok(people, { personId, body: { state: 'disabled' } });
  await root.ok(people, { personId, body: { state: 'active' } });
  const invitation = { email: null, role: 'person', expiresInDays: 1 } as const;
  await root.ok('POST /console/administration/invitations', { body: invitation });
  const link = await root.ok('POST /console/administration/people/:personId/sign-in-link', { personId });
  const intruder = stage.visitor();
  await intruder.ok('POST /console/sign-in/link', {
    body: { token: tokenOf(link.url) },
    headers: { 'user-agent': firefox },
  });
  await intruder.ok('POST /console/sign-out', { body: { scope: 'here' } });
  return { root, ada, personId, secrets: [secret, rotated.secret, tokenOf(link.url), password] };
}

test('who did what to whom is written down, and administrators find it', async () => {
  await using stage = await startStage();
  const { root, personId, secrets } = await live(stage);
  const { entries } = await root.ok('GET /console/administration/audit', { query: { personId } });
  const told = entries.map(({ kind, by }) => `${by.name ?? by.kind}: ${kind}`);
  assert.deepEqual(told.toReversed(), [
    'service: person-created',
    'service: sign-in-link-created',
    'Ada: sign-in',
    'Ada: key-created',
    'Ada: key-rotated',
    'Root: key-revoked',
    'Root: role-changed',
    'Root: role-changed',
    'Root: person-disabled',
    'Root: person-enabled',
    'Root: sign-in-link-created',
    'Ada: sign-in',
    'Ada: sign-out',
  ]);
  const rootId = await idOf(root);
  const ofRoot = await root.ok('GET /console/administration/audit', { query: { actorId: rootId } });
  assert.ok(ofRoot.entries.some(({ kind }) => kind === 'invitation-created'));
  const withLink = entries.find(({ kind, detail }) => kind === 'sign-in' && 'linkMadeBy' in detail);
  assert.deepEqual([withLink?.detail['linkMadeBy'], withLink?.device], ['Root', 'Firefox on Linux']);
  const changes = { kind: 'role-changed', personId };
  const first = await root.ok('GET /console/administration/audit', { query: { ...changes, limit: 1 } });
  assert.deepEqual(first.entries[0]?.detail, { from: 'administrator', to: 'person' });
  const cursor = first.nextCursor!;
  const second = await root.ok('GET /console/administration/audit', {
    query: { ...changes, limit: 1, cursor },
  });
  assert.deepEqual([second.entries[0]?.detail['to'], second.nextCursor], ['administrator', null]);

  const exported = await gatehouse(stage.dataDir, 'audit', 'export', '--since', '1h');
  assert.equal(exported.status, 0, exported.stderr);
  const lines = exported.stdout.trimEnd().split('\n');
  assert.ok(lines.every((line) => typeof (JSON.parse(line) as { hash: unknown }).hash === 'string'));
  for (const secret of secrets) assert.ok(!exported.stdout.includes(secret), 'no secret is in the trail');
});

test('people are told what others did to their account, and where somebody signed in', async () => {
  await using stage = await startStage();
  const { ada, personId } = await live(stage);
  await ada.ok('GET /console/session');
  await ada.ok('POST /console/sign-in/password', {
    body: { email: 'ada@example.org', password },
    headers: { 'user-agent': firefox },
  });
  const { entries } = await ada.ok('GET /console/account/notices');
  const told = entries.map(({ kind, by, address, detail }) => [
    kind,
    by.isYou ? 'you' : by.name,
    address,
    detail['linkMadeBy'],
  ]);
  assert.deepEqual(told, [
    ['sign-in', 'you', '127.0.0.1', 'Root'],
    ['sign-in-link-created', 'Root', null, undefined],
    ['person-enabled', 'Root', null, undefined],
    ['person-disabled', 'Root', null, undefined],
    ['role-changed', 'Root', null, undefined],
    ['role-changed', 'Root', null, undefined],
    ['key-revoked', 'Root', null, undefined],
  ]);
  const bob = await stage.arrive('Bob');
  await bob.ok('POST /console/account/notices/seen', { body: { upTo: entries[0]!.id } });
  assert.equal((await ada.ok('GET /console/account/notices')).entries.length, entries.length);
  await ada.ok('POST /console/account/notices/seen', { body: { upTo: entries[0]!.id } });
  assert.deepEqual((await ada.ok('GET /console/account/notices')).entries, []);

  // Somebody else's key is no news to Bob, and his own activity is his own.
  const activity = await bob.ok('GET /console/account/activity');
  assert.ok(activity.entries.every(({ by }) => by.isYou || by.kind === 'service'));
  const all = await ada.ok('GET /console/account/activity', { query: { limit: 200 } });
  assert.ok(all.entries.some(({ kind, by }) => kind === 'key-created' && by.isYou));
  assert.ok(!JSON.stringify(all).includes(personId), 'nobody needs ids here');

  // Somebody signs in from where nobody was before: every page but their own hears of it, and once.
  const device = { address: '203.0.113.9', userAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/150' };
  for (const session of ['theirs', 'theirs again']) {
    const by = { kind: 'person', personId, device } as const;
    await stage.audit.note({ kind: 'sign-in', by, personId, detail: { method: 'password', session } });
  }
  const [stranger, ...more] = (await ada.ok('GET /console/account/notices')).entries;
  assert.deepEqual([stranger?.address, stranger?.device, more], ['203.0.113.9', 'Chrome on Windows', []]);
  assert.deepEqual(await stage.audit.noticesFor(personId, 'theirs'), []);

  stage.audit.noteFailedSignIn(personId, { address: '198.51.100.7', userAgent: 'curl/8' });
  await stage.audit.stop();
  const [failed] = (await ada.ok('GET /console/account/notices')).entries;
  assert.deepEqual(
    [failed?.kind, failed?.address, failed?.detail],
    ['sign-in-failed', '198.51.100.7', { attempts: 1, addresses: 1 }],
  );
});

test('wrong passwords and links are counted, and a flood of them leaves a few entries', async () => {
  await using stage = await startStage();
  const root = await stage.arrive('Root', 'administrator');
  await stage.arrive('Ada', 'person', password);
  const guess = { body: { email: 'ada@example.org', password: 'wrong password' } };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await stage.visitor().refused('POST /console/sign-in/password', 401, 'sign_in_required', guess);
  }
  const link = { body: { token: 'no such link' } };
  await stage.visitor().refused('POST /console/sign-in/link', 401, 'sign_in_required', link);
  await stage.audit.stop();
  const query = { kind: 'sign-in-failed' };
  const { entries } = await root.ok('GET /console/administration/audit', { query });
  assert.deepEqual(
    entries.map(({ person, detail }) => [person?.name ?? null, detail['attempts']]),
    [
      [null, 1],
      ['Ada', 3],
    ],
  );
  for (let attempt = 0; attempt < 50_000; attempt += 1) {
    const address = `2001:db8::${(attempt % 9999).toString(16)}`;
    stage.audit.noteFailedSignIn(`person-${attempt % 5000}`, { address, userAgent: 'x'.repeat(10_000) });
  }
  await stage.audit.stop();
  let attempts = 0;
  let rows = 0;
  for await (const entry of stage.audit.readAll()) {
    if (entry.kind !== 'sign-in-failed' || entry.actorKind !== 'stranger') continue;
    rows += 1;
    attempts += Number(entry.detail['attempts']);
    assert.ok(JSON.stringify(entry).length < 1200);
  }
  assert.equal(attempts, 50_004);
  assert.ok(rows <= 203, `${rows} entries`);
});

test('every entry also goes to the syslog server, of the command line too', async () => {
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  await once(server, 'listening');
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-syslog-'));
  const settings = join(dataDir, 'gatehouse.yaml');
  writeFileSync(settings, `audit: { syslog: "127.0.0.1:${server.address().port}" }\n`);
  const heard = once(server, 'message') as Promise<[Buffer]>;
  const made = await gatehouse(dataDir, 'people', 'create', 'eve@example.org', '--settings', settings);
  assert.equal(made.status, 0, made.stderr);
  const [line] = await heard;
  const [, json = ''] =
    /^<86>1 \S+Z \S+ gatehouse \d+ person-created - (\{.*\})$/.exec(line.toString()) ?? [];
  const { kind, detail, hash } = JSON.parse(json) as Record<string, unknown>;
  assert.deepEqual([kind, detail], ['person-created', { email: 'eve@example.org', role: 'person' }]);
  assert.match(String(hash), /^[0-9a-f]{64}$/);
  server.close();
  rmSync(dataDir, { recursive: true });
});

test('what was written is never changed: a forged, removed or cut off entry is found', async () => {
  await using stage = await startStage();
  await live(stage);
  // The command line writes into the same trail while the server runs.
  const made = await Promise.all(
    ['eve', 'fay'].map((name) => gatehouse(stage.dataDir, 'people', 'create', `${name}@example.org`)),
  );
  assert.deepEqual(
    made.map(({ status }) => status),
    [0, 0],
  );
  await stage.arrive('Gus');
  const sound = await gatehouse(stage.dataDir, 'audit', 'verify');
  assert.equal(sound.status, 0, sound.stderr);
  const head = sound.stdout.trim();
  assert.match(head, /^[0-9a-f]{64}$/);

  const database = new DatabaseSync(join(stage.dataDir, 'gatehouse.db'), { timeout: 5000 });
  for (const statement of ["UPDATE audit_entries SET kind = 'sign-out'", 'DELETE FROM audit_entries']) {
    assert.throws(() => database.exec(statement), /append-only/);
  }
  database.exec('DROP TRIGGER audit_entries_stay; DROP TRIGGER audit_entries_never_change');
  const verdictOn = async (statement: string, ...args: string[]) => {
    database.exec('CREATE TEMP TABLE kept AS SELECT * FROM audit_entries');
    database.exec(statement);
    const { status, stderr } = await gatehouse(stage.dataDir, 'audit', 'verify', ...args);
    database.exec('DELETE FROM audit_entries; INSERT INTO audit_entries SELECT * FROM kept; DROP TABLE kept');
    assert.equal(status, 1, statement);
    return stderr;
  };
  assert.match(
    await verdictOn("UPDATE audit_entries SET actor_id = 'person_mallory' WHERE position = 4"),
    /^Entry 4 was changed\. The 3 entries before are sound\.$/m,
  );
  assert.match(await verdictOn('DELETE FROM audit_entries WHERE position = 5'), /^Entry 5 is missing\./);
  assert.match(
    await verdictOn(`UPDATE audit_entries SET previous_hash = '${head}' WHERE position = 6`),
    /^Entry 6 does not follow/,
  );
  const cut = 'DELETE FROM audit_entries WHERE position = (SELECT max(position) FROM audit_entries)';
  assert.match(await verdictOn(cut, '--expect', head), /the end of the trail is missing/);
  assert.equal((await gatehouse(stage.dataDir, 'audit', 'verify', '--expect', head)).status, 0);
  database.close();
});
