import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { ask, type Service, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { restoreBackup } from '#storage';
import { Visitor } from '../console/visitor.ts';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const credentials = { email: 'operator@example.org', password: 'correct horse battery' };
const env = { GATEHOUSE_ADMIN_EMAIL: credentials.email, GATEHOUSE_ADMIN_PASSWORD: credentials.password };

test('a backup taken under load restores keys, chats and all usage, each once', async () => {
  const file = join(scratch, 'night.backup');
  const newHome = join(scratch, 'new-home');
  await using service = await startService({ env });
  const chatId = await writeChat(service.gateway.url);
  const load = startLoad(service);
  await waitUntil('requests have been answered', () => load.finished.size >= 60);
  const running = await openStream(`${service.direct('beta-4-scout')}/chat/completions`, {
    body: { model: 'beta-4-scout', stream: true, messages: ask('sim:hang-after=1') },
  });
  await running.untilFrames(1);
  const runningId = String(running.headers['x-request-id']);

  // While somebody holds the database, records wait in the journal and nowhere else.
  const { promised } = await whileDatabaseIsHeld(service, async () => {
    const knownBefore = load.finished.size;
    await waitUntil('more requests have been answered', () => load.finished.size >= knownBefore + 20);
    const answered = [...load.finished];
    await waitUntil('their records are on the disk', () => {
      const { begun, settled } = idsOnDisk(service.gateway.dataDir);
      return begun.has(runningId) && answered.every((id) => settled.has(id));
    });
    await service.gateway.command('backup', file);
    return { promised: answered };
  });
  await load.stop();
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(
    readdirSync(scratch).filter((name) => name.includes('partial')),
    [],
  );

  await assert.rejects(service.gateway.command('restore', file, '--replace'), /A service is running on/);
  await service.gateway.command('restore', file, '--data-dir', newHome);
  running.leave();
  await service.gateway.stop();

  await using restored = await startGateway({ settings: service.settings, env, dataDir: newHome });
  const answer = await send(`${restored.url}/api/chat/completions`, {
    headers: { authorization: `bearer ${service.key}` },
    body: { model: 'beta-4-scout', messages: ask('still there?') },
  });
  assert.equal(answer.status, 200, answer.text);
  assert.match(await readChat(restored.url, chatId), /a word to be found again/);

  const records = restored.usageRecords();
  const counts = new Map<string, number>();
  for (const { request_id: id } of records) counts.set(id, (counts.get(id) ?? 0) + 1);
  assert.deepEqual(
    promised.filter((id) => counts.get(id) !== 1),
    [],
    'every request answered before the backup is on the books once',
  );
  assert.equal(records.find(({ request_id: id }) => id === runningId)?.ending, 'interrupted');
  const settled = records.find(({ request_id: id }) => id === promised[0]);
  assert.equal(settled?.ending, 'completed');
  assert.ok(settled.output_tokens > 0);
});

test('restore refuses what is no sound backup and deletes nothing', async () => {
  const dataDir = join(scratch, 'full');
  const file = join(scratch, 'small.backup');
  await gatehouse(dataDir, 'keys', 'create', '--name', 'first');
  const made = await gatehouse(dataDir, 'backup', file, '--json');
  assert.equal((JSON.parse(made.stdout) as { keys: number }).keys, 1);
  assert.match((await gatehouse(dataDir, 'backup', file)).stderr, /exists already/);

  const damaged = join(scratch, 'damaged.backup');
  copyFileSync(file, damaged);
  const bytes = readFileSync(damaged);
  writeFileSync(damaged, bytes.fill(0xa5, bytes.length / 2, bytes.length / 2 + 8192));
  const cut = join(scratch, 'cut.backup');
  writeFileSync(cut, readFileSync(file).subarray(0, bytes.length - 4096));
  const newer = join(scratch, 'newer.backup');
  copyFileSync(file, newer);
  execute(newer, "INSERT INTO migrations (number, name, applied_at) VALUES (999, 'later', 0)");
  const foreign = join(scratch, 'foreign.backup');
  writeFileSync(foreign, 'not a database at all, but a text that is long enough to look like something');
  const cases: readonly (readonly [string, RegExp])[] = [
    [damaged, /is damaged/],
    [cut, /is damaged/],
    [newer, /newer version of Gatehouse.*schema step 999/],
    [foreign, /is not a backup/],
    [join(dataDir, 'gatehouse.db'), /is not a backup/],
    [join(scratch, 'missing.backup'), /There is no file/],
  ];
  for (const [path, sentence] of cases) {
    assert.throws(() => restoreBackup({ file: path, dataDir, mayReplace: true }), sentence);
  }
  assert.throws(() => restoreBackup({ file, dataDir, mayReplace: false }), /already holds a database/);

  execute(join(dataDir, 'gatehouse.db'), "UPDATE api_keys SET name = 'changed since'");
  const replaced = await gatehouse(dataDir, 'restore', file, '--replace');
  assert.equal(replaced.status, 0, replaced.stderr);
  assert.match((await gatehouse(dataDir, 'keys', 'list')).stdout, / first /);
  const aside = /now in (.+)\.\n/.exec(replaced.stderr)?.[1] ?? '';
  assert.ok(existsSync(join(aside, 'gatehouse.db')), 'what was there before is still there');
});

async function writeChat(url: string): Promise<string> {
  const visitor = await signIn(url);
  const { id: chatId } = await visitor.ok('POST /console/chats', { body: { model: 'beta-4-scout' } });
  const content = 'a word to be found again';
  await visitor.ok('POST /console/chats/:chatId/messages', {
    chatId,
    body: { parentId: null, role: 'user', content },
  });
  return chatId;
}

async function readChat(url: string, chatId: string): Promise<string> {
  const visitor = await signIn(url);
  const { messages } = await visitor.ok('GET /console/chats/:chatId', { chatId });
  return messages.map(({ content }) => content).join('\n');
}

async function signIn(url: string): Promise<Visitor> {
  const visitor = new Visitor(url);
  await waitUntil('the operator has an account', async () => {
    const answer = await visitor.call('POST /console/sign-in/password', { body: credentials });
    return answer.status === 200;
  });
  return visitor;
}

/** Callers at both doors, one request after the other each, until told to stop. */
function startLoad(service: Service): { finished: Set<string>; stop(): Promise<void> } {
  const finished = new Set<string>();
  const over = new AbortController();
  const caller = async (index: number) => {
    const body = { model: 'beta-4-scout', messages: ask('sim:frames=3'), stream: index % 2 === 0 };
    const isProxy = index < 2;
    const url = `${isProxy ? service.proxy : service.direct('beta-4-scout')}/chat/completions`;
    const headers = isProxy ? { authorization: `bearer ${service.key}` } : {};
    while (!over.signal.aborted) {
      const answer = await send(url, { body, headers });
      assert.equal(answer.status, 200, answer.text);
      finished.add(String(answer.headers['x-request-id']));
      await delay(25);
    }
  };
  const callers = Promise.all([0, 1, 2, 3].map(caller));
  return {
    finished,
    stop: async () => {
      over.abort();
      await callers;
    },
  };
}

async function whileDatabaseIsHeld<Result>(service: Service, work: () => Promise<Result>): Promise<Result> {
  const holder = new DatabaseSync(join(service.gateway.dataDir, 'gatehouse.db'), { timeout: 10_000 });
  holder.exec('BEGIN IMMEDIATE');
  try {
    return await work();
  } finally {
    holder.exec('ROLLBACK');
    holder.close();
  }
}

/** Requests that the journal or the books know. */
function idsOnDisk(dataDir: string): { begun: Set<string>; settled: Set<string> } {
  const root = join(dataDir, 'journal');
  const segments = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.journal'),
  );
  const text = segments.map((name) => readFileSync(join(root, name), 'utf8')).join('');
  const idsOf = (kind: string) =>
    [...text.matchAll(new RegExp(`^[0-9a-f]{8} ${kind}([\\w-]+) .*\n`, 'gm'))].map((match) => match[1]!);
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true });
  const booked = database.prepare('SELECT request_id FROM usage_records').all();
  database.close();
  return {
    begun: new Set(idsOf('O')),
    settled: new Set([...idsOf('S'), ...booked.map((row) => String(row['request_id']))]),
  };
}

function execute(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

async function gatehouse(dataDir: string, ...words: string[]) {
  const program = new URL('../../bin/gatehouse.js', import.meta.url).pathname;
  const child = execFile(process.execPath, [program, ...words], {
    cwd: scratch,
    env: { PATH: process.env['PATH'], GATEHOUSE_DATA_DIR: dataDir },
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (text: string) => (stdout += text));
  child.stderr?.on('data', (text: string) => (stderr += text));
  const [status] = (await once(child, 'close')) as [number];
  return { status, stdout, stderr };
}
