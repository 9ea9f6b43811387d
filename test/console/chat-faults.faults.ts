import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { type Gateway, startGateway } from '#harness/gateway';
import { mark, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { Visitor } from './visitor.ts';

const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-faults-'));
  folders.push(folder);
  return folder;
}

async function signIn(gateway: Gateway): Promise<Visitor> {
  const token = await waitUntil(
    'the first start prints a link',
    () => /#link=(\S+)/.exec(gateway.logs())?.[1],
  );
  const operator = new Visitor(gateway.url);
  await operator.ok('POST /console/sign-in/link', { body: { token } });
  return operator;
}

/** An answer that has begun and goes on until somebody stops it. */
async function beginEndless(visitor: Visitor) {
  const begun = await visitor.ok('POST /console/generations', {
    body: {
      chatId: null,
      parentId: null,
      newMessages: [{ role: 'user', content: `${mark()} sim:frames=100000 sim:every=20` }],
      model: 'beta-4-scout',
      requestKey: mark(),
    },
  });
  const live = visitor.listenToAnswer(begun.generation.id);
  await live.until((event) => event.type === 'content');
  live.close();
  return { chatId: begun.chat.id, generationId: begun.generation.id, messageId: begun.generation.messageId };
}

/** As it stands in the database, whoever serves from it. */
function storedMessage(dataDir: string, messageId: string) {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true, timeout: 5000 });
  try {
    const row = database
      .prepare('SELECT state, content, generation_id FROM messages WHERE id = ?')
      .get(messageId);
    return { state: row?.['state'], content: String(row?.['content']), generationId: row?.['generation_id'] };
  } finally {
    database.close();
  }
}

test('an answer that SIGTERM cuts off is marked as interrupted, with all of its text', async () => {
  const dataDir = freshFolder();
  await using service = await startService({ dataDir, settings: { drain: '0s' } });
  const operator = await signIn(service.gateway);
  const { chatId, messageId } = await beginEndless(operator);
  const { messages } = await operator.ok('GET /console/chats/:chatId', { chatId });
  const shown = messages.at(-1)?.content ?? '';
  assert.notEqual(shown, '');
  await service.gateway.stop();
  const { state, content, generationId } = storedMessage(dataDir, messageId);
  assert.deepEqual({ state, generationId }, { state: 'interrupted', generationId: null });
  assert.ok(content.startsWith(shown), 'nothing that was shown is lost');
});

test('a second process leaves the answers of a living one alone, and marks those of a killed one', async () => {
  const dataDir = freshFolder();
  await using service = await startService({ dataDir, settings: { drain: '10m' } });
  const first = service.gateway;
  const operator = await signIn(first);
  const [survivor, victim] = [await beginEndless(operator), await beginEndless(operator)];
  // While it serves, nobody else may serve from its folder; while it finishes its answers, the next one does.
  first.signal('SIGTERM');
  await waitUntil('it finishes its answers', () => /draining/.test(first.logs()));
  await using second = await startGateway({ settings: service.settings, dataDir });
  assert.equal(storedMessage(dataDir, survivor.messageId).state, 'running');
  await operator.ok('POST /console/generations/:generationId/stop', survivor);
  await waitUntil(
    'the end is written by the process that wrote the answer',
    () => storedMessage(dataDir, survivor.messageId).state === 'stopped',
  );
  assert.notEqual(storedMessage(dataDir, survivor.messageId).content, '');
  await waitUntil('a part is saved', () => storedMessage(dataDir, victim.messageId).content !== '');
  await first.kill();
  const left = await waitUntil('the living process has noticed', () => {
    const message = storedMessage(dataDir, victim.messageId);
    return message.state === 'running' ? undefined : message;
  });
  assert.equal(left.state, 'interrupted');
  assert.equal(left.generationId, null);
  assert.notEqual(left.content, '');
  const elsewhere = new Visitor(second.url);
  for (const [name, value] of operator.cookies) elsewhere.cookies.set(name, value);
  const { chat } = await elsewhere.ok('GET /console/chats/:chatId', { chatId: victim.chatId });
  assert.equal(chat.generationId, null);
});

test('a database that is locked at the end of an answer loses nothing, and the chat goes on', async () => {
  await using service = await startService();
  const { dataDir } = service.gateway;
  const operator = await signIn(service.gateway);
  const { chatId, generationId, messageId } = await beginEndless(operator);
  const lock = new DatabaseSync(join(dataDir, 'gatehouse.db'), { timeout: 5000 });
  lock.exec('BEGIN IMMEDIATE');
  try {
    await operator.ok('POST /console/generations/:generationId/stop', { generationId });
    await waitUntil(
      'the end could not be saved',
      () => /"state":"stopped".*could not be saved/.test(service.gateway.logs()),
      30_000,
    );
    assert.equal(storedMessage(dataDir, messageId).state, 'running');
    const { chat, messages } = await operator.ok('GET /console/chats/:chatId', { chatId });
    assert.equal(chat.generationId, null, 'nobody is told that it still runs');
    assert.equal(messages.at(-1)?.state, 'stopped');
  } finally {
    lock.close();
  }
  const next = await operator.ok('POST /console/generations', {
    body: {
      chatId,
      parentId: messageId,
      newMessages: [{ role: 'user', content: 'Go on' }],
      model: 'beta-4-scout',
      requestKey: mark(),
    },
  });
  await operator.ok('POST /console/generations/:generationId/stop', { generationId: next.generation.id });
  await waitUntil('the end is saved after all', () => storedMessage(dataDir, messageId).state === 'stopped');
  const { messages } = await operator.ok('GET /console/chats/:chatId', { chatId });
  assert.deepEqual(
    messages.slice(0, 3).map(({ state }) => state),
    ['complete', 'stopped', 'complete'],
  );
  assert.equal(storedMessage(dataDir, messageId).content, messages[1]?.content);
});

test('a start does not wait for what is to be thrown away, and it is thrown away', async () => {
  const dataDir = freshFolder();
  await using service = await startService({ dataDir });
  const operator = await signIn(service.gateway);
  const { id: keptId } = await operator.ok('POST /console/chats', {
    body: { title: 'Kept', model: 'beta-4-scout' },
  });
  await service.gateway.stop();
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { timeout: 5000 });
  database.exec(`
    BEGIN;
    INSERT INTO chats (id, person_id, title, title_source, model, system_prompt, parameters, is_pinned, created_at, updated_at, deleted_at)
      SELECT 'doomed', person_id, 'Doomed', 'person', model, '', '{}', 0, 1, 1, 1 FROM chats WHERE id = '${keptId}';
    WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 4000)
    INSERT INTO messages (id, chat_id, role, content, reasoning, tool_calls, state, created_at)
      SELECT 'doomed' || value, 'doomed', 'user', 'words', '', '[]', 'complete', 1 FROM numbers;
    COMMIT;
  `);
  const left = () =>
    Number(database.prepare("SELECT count(*) AS n FROM messages WHERE chat_id = 'doomed'").get()?.['n']);
  try {
    await using again = await startGateway({ settings: service.settings, dataDir });
    assert.ok(left() > 0, 'ready before everything is gone');
    await waitUntil('it is gone', () => left() === 0);
    await waitUntil('the chat too', () => database.prepare('SELECT id FROM chats').all().length === 1);
    assert.doesNotMatch(again.logs(), /could not be removed/);
  } finally {
    database.close();
  }
});
