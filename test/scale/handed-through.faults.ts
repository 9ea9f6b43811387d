import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { ChatArchive } from '#contract/archive';
import { Client } from 'pg';
import { type Gateway, startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { type PostgresServer, startPostgres } from '#harness/postgres';
import { ask, mark, type Service, startService } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { Visitor } from '../console/visitor.ts';

/** What one gateway writes is read at the other: two real gateways on one real PostgreSQL. */
const postgres: PostgresServer = await startPostgres();
const database = await postgres.createDatabase();
const service: Service = await startService({ settings: { database, service: 'campus' } });
const here: Gateway = service.gateway;
const there: Gateway = await startGateway({ settings: service.settings });
after(async () => {
  await there.kill();
  await service[Symbol.asyncDispose]();
  await postgres.stop();
});

const [atHome, abroad] = [new Visitor(here.url), new Visitor(there.url)];
const headers = { authorization: `bearer ${service.key}` };

before(async () => {
  const link = await waitUntil('a link is printed', () => /#link=(\S+)/.exec(there.logs())?.[1]);
  await atHome.ok('POST /console/sign-in/link', { body: { token: link } });
  for (const [name, value] of atHome.cookies) abroad.cookies.set(name, value);
  abroad.csrfToken = atHome.csrfToken;
  await waitUntil('the other gateway knows the key', async () => {
    return (await send(`${there.url}/api/models`, { headers })).status === 200;
  });
});

async function readRows<Row extends object>(sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: database });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function begin(words: string) {
  return await abroad.ok('POST /console/generations', {
    body: {
      chatId: null,
      parentId: null,
      newMessages: [{ role: 'user', content: `${mark()} ${words}` }],
      model: 'beta-4-scout',
      requestKey: mark(),
    },
  });
}

const textOf = (events: readonly { type: string }[]) =>
  events.map((event) => (event.type === 'content' && 'text' in event ? String(event.text) : '')).join('');

test('a page at one gateway sees an answer that the other writes, from beginning to end', async () => {
  const page = await atHome.listen();
  const { generation, chat } = await begin('sim:frames=30 sim:every=20');
  await page.until((event) => event.type === 'generationStarted' && event.generation.id === generation.id);
  await page.until(
    (event) =>
      event.type === 'answer' && event.generationId === generation.id && event.event.type === 'ended',
  );
  await page.until((event) => event.type === 'generationEnded' && event.generation.id === generation.id);
  const events = page.events.flatMap((event) =>
    event.type === 'answer' && event.generationId === generation.id ? [event] : [],
  );
  const sequences = events.map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    [...new Set(sequences)].toSorted((a, b) => a - b),
    'each once, in order',
  );
  const stored = (await atHome.ok('GET /console/chats/:chatId', { chatId: chat.id })).messages.at(-1);
  assert.equal(stored?.state, 'complete');
  const [first] = events;
  const begun = first?.event.type === 'snapshot' ? first.event.message.content : '';
  assert.equal(begun + textOf(events.map(({ event }) => event)), stored.content);
  page.close();
});

test('a page at one gateway hears what the other does to chats and folders of its person, and of nobody else', async () => {
  const { stdout } = await here.command('people', 'create', 'eve@example.org', '--name', 'Eve');
  const eve = new Visitor(here.url);
  await eve.ok('POST /console/sign-in/link', { body: { token: /#link=(\S+)/.exec(stdout)?.[1] ?? '' } });
  const [page, hers] = [await atHome.listen(), await eve.listen()];
  const folder = await abroad.ok('POST /console/folders', { body: { name: 'Thesis' } });
  await page.until(
    (event) => event.type === 'foldersChanged' && event.folders.some(({ id }) => id === folder.id),
  );
  const chat = await abroad.ok('POST /console/chats', { body: { title: 'Tides', model: 'beta-4-scout' } });
  const chatId = chat.id;
  await page.until((event) => event.type === 'chatChanged' && event.chat.id === chatId);
  await abroad.ok('PATCH /console/chats/:chatId', { chatId, body: { title: 'Winds', folderId: folder.id } });
  await page.until((event) => event.type === 'chatChanged' && event.chat.title === 'Winds');
  const exported = JSON.parse((await abroad.call('GET /console/chats/export')).text) as ChatArchive;
  await abroad.ok('POST /console/chats/import', { body: exported });
  await page.until((event) => event.type === 'chatsChanged');
  await abroad.ok('DELETE /console/chats/:chatId', { chatId });
  await page.until((event) => event.type === 'chatRemoved' && event.chatId === chatId);
  assert.deepEqual(
    hers.events.filter(({ type }) => type !== 'hello'),
    [],
  );
  page.close();
  hers.close();
});

test('an engine and a model that are added at one gateway serve at every one, also at one that comes later', async () => {
  await using engine = await startSimulatedEngine({ flavour: 'vllm', models: ['org/delta'] });
  const body = { model: 'delta', messages: ask('hello') };
  const answerAt = async (gateway: Gateway) =>
    (await send(`${gateway.url}/api/chat/completions`, { method: 'POST', headers, body })).status;
  await abroad.ok('POST /console/administration/catalogue', {
    body: { list: 'engines', entry: { name: 'gpu-3', kind: 'vllm', url: engine.url } },
  });
  // Each in force everywhere when it is answered.
  await atHome.ok('POST /console/administration/catalogue', {
    body: {
      list: 'models',
      entry: { id: 'delta', path: 'delta', engines: [{ engine: 'gpu-3', model: 'org/delta' }] },
    },
  });
  assert.deepEqual([await answerAt(here), await answerAt(there)], [200, 200]);
  await using late = await startGateway({ settings: service.settings });
  assert.equal(await answerAt(late), 200);
  // A command has no gateway that would tell of it.
  await late.command('catalogue', 'remove', 'model', 'delta');
  for (const gateway of [here, there, late])
    await waitUntil('the model is gone', async () => (await answerAt(gateway)) === 404);
  await atHome.ok('DELETE /console/administration/catalogue', { query: { list: 'engines', name: 'gpu-3' } });
  const { engines } = await abroad.ok('GET /console/administration/catalogue');
  assert.ok(!engines.some(({ name }) => name === 'gpu-3'));
});

test('it can be stopped from the other gateway, by its owner', async () => {
  const { generation } = await begin('sim:frames=100000 sim:every=20');
  await waitUntil('the other gateway has heard of it', async () =>
    (await atHome.ok('GET /console/generations')).generations.some(({ id }) => id === generation.id),
  );
  const live = atHome.listenToAnswer(generation.id);
  await live.until((event) => event.type === 'content');
  await atHome.ok('POST /console/generations/:generationId/stop', { generationId: generation.id });
  const ended = await live.until((event) => event.type === 'ended');
  assert.equal(ended.type === 'ended' && ended.state, 'stopped');
});

test('a member of a project hears at one gateway what is shared at the other, and how its answer goes on', async () => {
  const projectId = 'genomics';
  const body = { id: projectId, name: 'Genomics', models: [] };
  await abroad.ok('POST /console/administration/projects', { body });
  const { stdout } = await there.command('people', 'create', 'max@example.org', '--name', 'Max');
  for (const email of ['operator@localhost', 'max@example.org'])
    await abroad.ok('PUT /console/projects/:projectId/members', {
      projectId,
      body: { email, role: 'member' },
    });
  const max = new Visitor(here.url);
  await max.ok('POST /console/sign-in/link', { body: { token: /#link=(\S+)/.exec(stdout)?.[1] ?? '' } });
  await waitUntil(
    'the other gateway knows the project',
    async () => (await max.ok('GET /console/spaces')).spaces.length > 0,
  );
  const page = await max.listen();
  const { generation, chat } = await begin('sim:frames=100000 sim:every=20');
  const chatId = chat.id;
  await abroad.ok('PUT /console/chats/:chatId/space', { chatId, body: { projectId } });
  await page.until((event) => event.type === 'spaceChanged' && event.projectId === projectId);
  const isHeard = () =>
    page.events.some(
      (event) =>
        event.type === 'answer' && event.generationId === generation.id && event.event.type === 'content',
    );
  await waitUntil('the answer is heard', async () => {
    await max.ok('GET /console/spaces/:projectId/chats/:chatId', { projectId, chatId });
    return isHeard();
  });
  await abroad.ok('POST /console/generations/:generationId/stop', { generationId: generation.id });
  await waitUntil('the end is read', async () => {
    const read = await max.ok('GET /console/spaces/:projectId/chats/:chatId', { projectId, chatId });
    return read.messages.at(-1)?.state === 'stopped';
  });
  page.close();
});

test('whoever is cut off at one gateway reads on at the other, byte for byte, and nobody else does', async () => {
  const first = await openStream(`${there.url}/api/chat/completions`, {
    headers: { ...headers, 'gatehouse-resume': '60' },
    body: { model: 'beta-4-scout', stream: true, messages: ask(`${mark()} sim:frames=40 sim:every=20`) },
  });
  await first.untilFrames(5);
  first.leave();
  await first.ended;
  const id = String(first.headers['x-request-id']);
  const read = (gateway: Gateway, lastId: number, secret = service.key) =>
    openStream(`${gateway.url}/api/streams/${id}`, {
      headers: { authorization: `bearer ${secret}`, 'last-event-id': String(lastId) },
    });
  const rest = await read(here, 5);
  assert.equal(rest.status, 200);
  assert.equal(await rest.ended, 'complete');
  const own = await read(there, 5);
  await own.ended;
  assert.equal(rest.raw().toString(), own.raw().toString());
  assert.match(rest.raw().toString(), /^id: 6\n[^]*\[DONE\]\n\n$/);
  const stranger = await here.createKey({ email: 'eve@example.org' });
  assert.equal((await read(here, 0, stranger.secret)).status, 404);
  assert.equal((await read(here, 9999)).status, 410);
});

test('a response in the background is followed and cancelled from the other gateway', async () => {
  const begun = await send(`${there.url}/api/responses`, {
    headers,
    body: { model: 'beta-4-scout', input: `${mark()} sim:frames=100000 sim:every=20`, background: true },
  });
  const id = String(begun.json['id']);
  const events = await waitUntil('its events are there', async () => {
    const stream = await openStream(`${here.url}/api/responses/${id}?stream=true`, { headers });
    return stream.status === 200 ? stream : undefined;
  });
  await events.untilFrames(10);
  const cancelled = await send(`${here.url}/api/responses/${id}/cancel`, { method: 'POST', headers });
  assert.deepEqual([cancelled.status, cancelled.json['status']], [200, 'cancelled'], cancelled.text);
  assert.equal(await events.ended, 'complete');
  await waitUntil('the engine has stopped', () => service.engineA.activeGenerations === 0);
  assert.equal((await send(`${here.url}/api/responses/${id}`, { method: 'DELETE', headers })).status, 200);
  assert.equal((await send(`${there.url}/api/responses/${id}`, { headers })).status, 404);
});

test('nobody comes in between gateways without the secret of the service', async () => {
  const { generation } = await begin('sim:frames=100000 sim:every=20');
  const [person] = await readRows<{ id: string }>("SELECT id FROM people WHERE role = 'administrator'");
  const gateway = await waitUntil('it has told the others', async () => {
    const told = `SELECT id FROM gateway_news WHERE topics LIKE '%${generation.id}%'`;
    return (await readRows<{ id: string }>(told))[0];
  });
  const [known] = await readRows<{ secret: string }>('SELECT secret FROM service');
  const path = `/peer/answers/${generation.id}/stop`;
  const query = `person=${person?.id}`;
  const knock = (secret: string, gatewayId = gateway.id) =>
    send(`${there.url}${path}?${query}`, {
      method: 'POST',
      headers: {
        'gatehouse-peer': createHmac('sha256', secret)
          .update(['call between gateways', gatewayId, 'POST', path, query].join('\n'))
          .digest('base64url'),
      },
    });
  assert.equal((await send(`${there.url}${path}?${query}`, { method: 'POST' })).status, 403);
  assert.equal((await knock('a-wrong-secret')).status, 403);
  assert.equal((await knock(known?.secret ?? '', 'another-gateway')).status, 403);
  assert.equal((await knock(known?.secret ?? '')).status, 200, 'and with it one does');
  await waitUntil('it is stopped', () => service.engineA.activeGenerations === 0);
});

test('when the gateway that writes dies, those who watch at the other see it interrupted with what was stored', async () => {
  const { generation, chat } = await begin('sim:frames=100000 sim:every=20');
  const stored = async () =>
    (await atHome.ok('GET /console/chats/:chatId', { chatId: chat.id })).messages.at(-1);
  await waitUntil('some of it is stored', async () => ((await stored())?.content.length ?? 0) > 0);
  const live = atHome.listenToAnswer(generation.id);
  await live.until((event) => event.type === 'content');
  await there.kill();
  const isEnded = () => live.events.find((event) => event.type === 'ended');
  const ended = await waitUntil('the page hears of it', isEnded);
  assert.equal(ended.type === 'ended' && ended.state, 'interrupted');
  const snapshot = live.events.findLast((event) => event.type === 'snapshot');
  const message = await stored();
  assert.equal(message?.state, 'interrupted');
  assert.ok(message.content.length > 0);
  assert.equal(snapshot?.type === 'snapshot' && snapshot.message.content, message.content);
});
