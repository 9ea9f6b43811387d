import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import OpenAI from 'openai';
import { begin, send } from '#harness/http-client';
import { ask, mark, startService } from '#harness/service';
import { standardPieces } from '#harness/simulated-answer';
import { waitUntil } from '#harness/wait-until';

/** Responses that are kept, continued and written in the background, on our own store for every engine. */
const service = await startService({ settings: { responses: { perOwner: '64KiB' } } });
after(() => service[Symbol.asyncDispose]());
const { gateway, engineA } = service;
const model = 'beta-4-scout';
const text = standardPieces.join('');
const client = (apiKey: string, baseURL = service.proxy) => new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const clients = {
  proxy: client(service.key).responses,
  direct: client('none', service.direct(model)).responses,
};

function messagesOf(marked: string): unknown {
  const [request] = engineA.requestsMarked(marked);
  const { messages } = JSON.parse(String(request?.body)) as { messages: Record<string, unknown>[] };
  return messages.map(({ role, content }) => [role, content]);
}

for (const door of ['proxy', 'direct'] as const) {
  const responses = clients[door];

  test(`${door}: a conversation is continued by the id of its last response`, async () => {
    const [mine, later] = [mark(), mark()];
    const first = await responses.create({ model, input: `one ${mine}`, store: true });
    const second = await responses.create({
      model,
      input: [{ role: 'user', content: 'two' }],
      previous_response_id: first.id,
      store: true,
    });
    assert.equal(second.previous_response_id, first.id);
    await responses
      .stream({ model, input: `three ${later}`, instructions: 'Short.', previous_response_id: second.id })
      .finalResponse();
    assert.deepEqual(messagesOf(later), [
      ['system', 'Short.'],
      ['user', `one ${mine}`],
      ['assistant', text],
      ['user', 'two'],
      ['assistant', text],
      ['user', `three ${later}`],
    ]);

    const kept = await responses.retrieve(first.id);
    assert.deepEqual([kept.output_text, kept.usage], [text, first.usage]);
    const items: unknown[] = [];
    for await (const item of responses.inputItems.list(first.id)) items.push(item);
    assert.equal(items.length, 1);
    await responses.delete(first.id);
    await assert.rejects(responses.retrieve(first.id), OpenAI.NotFoundError);
    await assert.rejects(
      responses.create({ model, input: 'x', previous_response_id: second.id }),
      (error) => error instanceof OpenAI.NotFoundError && error.param === 'previous_response_id',
    );
  });

  test(`${door}: in the background, polled, streamed from any event on, and cancelled`, async () => {
    const begun = await responses.create({ model, input: 'sim:frames=40 sim:every=10', background: true });
    assert.match(begun.status ?? '', /^(queued|in_progress)$/);
    let polled = begun;
    await waitUntil('it is written', async () => {
      polled = await responses.retrieve(begun.id);
      return polled.status === 'completed';
    });
    assert.equal(polled.output_text.split(' ').length, 41);
    const all = await eventsOf(await responses.retrieve(begun.id, { stream: true }));
    const rest = await eventsOf(await responses.retrieve(begun.id, { stream: true, starting_after: 20 }));
    assert.deepEqual(rest, all.slice(21));
    assert.equal(all.at(-1)?.type, 'response.completed');

    const mine = mark();
    const endless = await responses.create({
      model,
      input: `${mine} sim:frames=5000 sim:every=10`,
      background: true,
    });
    const generation = await waitUntil('the engine works', () => engineA.marked(mine)[0]);
    assert.equal((await responses.cancel(endless.id)).status, 'cancelled');
    await waitUntil('the engine stops', () => generation.state === 'aborted');
    assert.equal((await responses.retrieve(endless.id)).status, 'cancelled');
  });
}

test('whoever loses their connection comes back to a response in the background', async () => {
  const url = `${service.proxy}/responses`;
  const authorization = `bearer ${service.key}`;
  const body = { model, input: 'sim:frames=60 sim:every=10', background: true, stream: true };
  const socket = await begin(url, { headers: { authorization }, body });
  const heard = await new Promise<string>((resolve) => {
    let sofar = '';
    socket.on('data', (bytes: Buffer) => {
      sofar += bytes.toString();
      if (sofar.includes('output_text.delta')) resolve(sofar);
    });
  });
  socket.destroy();
  const id = /"id":"(resp_\w+)"/.exec(heard)?.[1] ?? '';
  const last = Number(/^.*"sequence_number":(\d+)/s.exec(heard)?.[1]);
  const rest = await eventsOf(await clients.proxy.retrieve(id, { stream: true, starting_after: last }));
  assert.deepEqual([rest[0]?.sequence_number, rest.at(-1)?.type], [last + 1, 'response.completed']);
  const record = await waitUntil('it is in the books', () =>
    gateway.usageRecords().find(({ request_id: own }) => id === `resp_${own.replaceAll('-', '')}`),
  );
  assert.deepEqual([record.endpoint, record.ending], ['responses', 'completed']);
});

test('nobody else sees them, and only what was asked for is kept', async () => {
  const own = await clients.proxy.create({ model, input: 'mine', store: true });
  const unkept = await clients.proxy.create({ model, input: 'gone' });
  const stranger = client((await gateway.createKey({ email: 'other@example.org' })).secret).responses;
  const attempts = [
    () => stranger.retrieve(own.id),
    () => stranger.delete(own.id),
    () => stranger.cancel(own.id),
    () => stranger.inputItems.list(own.id),
    () => stranger.create({ model, input: 'x', previous_response_id: own.id }),
    () => clients.direct.retrieve(own.id),
    () => clients.proxy.retrieve(unkept.id),
  ];
  for (const attempt of attempts) await assert.rejects(attempt(), OpenAI.NotFoundError);
  assert.equal((await clients.proxy.retrieve(own.id)).id, own.id);
});

test('the oldest make room, and what is too long for it is refused before an engine works', async () => {
  const { secret } = await gateway.createKey({ email: 'collector@example.org' });
  const { responses } = client(secret);
  const ids: string[] = [];
  for (let index = 0; index < 12; index++)
    ids.push((await responses.create({ model, input: 'x'.repeat(8000), store: true })).id);
  await waitUntil('the first is forgotten', async () => (await statusOf(secret, ids[0])) === 404);
  assert.equal(await statusOf(secret, ids.at(-1)), 200);
  const mine = mark();
  await assert.rejects(
    responses.create({ model, input: mine + 'x'.repeat(20_000), store: true }),
    (error) => error instanceof OpenAI.APIError && error.code === 'storage_full',
  );
  assert.equal(engineA.requestsMarked(mine).length, 0);
});

test('a question that is refused is refused at once, in the background too', async () => {
  const refused = [
    { background: true, input: [] },
    { background: true, input: 'x', store: false },
    { background: true, input: 'x', model: 'no-such-model' },
    { background: 'yes', input: 'x' },
  ];
  for (const body of refused) {
    const { status } = await send(`${service.proxy}/responses`, {
      headers: { authorization: `bearer ${service.key}` },
      body: { model, ...body },
    });
    assert.ok(status === 400 || status === 404, `${JSON.stringify(body)} became ${status}`);
  }
  const failing = await clients.proxy.create({ model, input: 'sim:status=400', background: true });
  await waitUntil('it failed', async () => (await clients.proxy.retrieve(failing.id)).status === 'failed');
});

test('where the database takes no response none is begun in the background, and nothing is left of it', async () => {
  const database = new DatabaseSync(join(gateway.dataDir, 'gatehouse.db'), { timeout: 5000 });
  const { secret } = await gateway.createKey({ email: 'unlucky@example.org' });
  const mine = mark();
  const post = (input: string) =>
    send(`${service.proxy}/responses`, {
      headers: { authorization: `bearer ${secret}` },
      body: { model, input, background: true },
    });
  database.exec(
    "CREATE TRIGGER no_room BEFORE INSERT ON responses BEGIN SELECT RAISE(ABORT, 'no room'); END",
  );
  try {
    // More than one person may have under way: a refused one takes no place.
    for (let round = 0; round < 18; round++) {
      const { status, headers, error } = await post(`${mine} sim:frames=100000 sim:every=20`);
      assert.deepEqual([status, error.code, headers['retry-after']], [503, 'database_unavailable', '5']);
    }
    await waitUntil('no engine writes for nobody', () =>
      engineA.marked(mine).every(({ state }) => state !== 'active'),
    );
  } finally {
    database.exec('DROP TRIGGER no_room');
    database.close();
  }
  const { status, json } = await post('sim:frames=2');
  assert.equal(status, 200);
  await waitUntil('it is written', async () => (await statusOf(secret, String(json['id']))) === 200);
});

test('a chat names what no engine heeds', async () => {
  const { headers } = await send(`${service.proxy}/chat/completions`, {
    headers: { authorization: `bearer ${service.key}` },
    body: { model, messages: ask('x'), metadata: { a: '1' }, store: false, verbosity: null, functions: [] },
  });
  assert.equal(headers['gatehouse-ignored'], 'functions, metadata');
});

async function statusOf(key: string, id: string | undefined): Promise<number> {
  const url = `${service.proxy}/responses/${id}`;
  return (await send(url, { method: 'GET', headers: { authorization: `bearer ${key}` } })).status;
}

async function eventsOf(
  stream: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>,
): Promise<OpenAI.Responses.ResponseStreamEvent[]> {
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
