import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { ask, mark } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { createHopes } from '../../src/flow/patience.ts';

/** One model on two engines, another model on an engine that never lives. */
const engines = await Promise.all([
  startSimulatedEngine({ flavour: 'vllm', models: ['twin'] }),
  startSimulatedEngine({ flavour: 'vllm', models: ['twin'] }),
]);
const [one, two] = engines;
const dead = await startSimulatedEngine({ flavour: 'vllm', models: ['lost'] });
await dead.refuseConnections();
const hanging = await startSimulatedEngine({ flavour: 'sglang', models: ['stuck'] });
hanging.control.everyGeneration = 'sim:hang';
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    limits: { waitingLine: { maxWaitingPerMember: 8 } },
    projects: [{ id: 'paced', memberLimits: { requestsPerMinute: 1 } }],
    engines: [
      { name: 'one', kind: 'vllm', url: one.url },
      { name: 'two', kind: 'vllm', url: two.url },
      { name: 'dead', kind: 'vllm', url: dead.url },
      { name: 'hanging', kind: 'sglang', url: hanging.url },
    ],
    models: [
      { id: 'twin', engines: ['one', 'two'] },
      { id: 'lost', engines: ['dead'] },
      { id: 'stuck', engines: ['hanging'] },
    ],
  },
});
after(async () => {
  await gateway.stop();
  await Promise.all([...engines, dead, hanging].map((engine) => engine.stop()));
});
const authorization = `bearer ${(await gateway.createKey()).secret}`;
const url = `${gateway.url}/twin/v1/chat/completions`;
const post = (words: string) => send(url, { body: { model: 'twin', messages: ask(words) } });
const occupy = async (words = 'sim:frames=100000 sim:every=20') => {
  const stream = await openStream(url, { body: { model: 'twin', stream: true, messages: ask(words) } });
  await stream.untilFrames(1);
  return stream;
};

test('the context length that nobody wrote down is the one the engine tells', async () => {
  const told = async () => {
    const { json } = await send(`${gateway.url}/twin/v1/models`);
    return (json as { data: { max_model_len: number | null }[] }).data[0]?.max_model_len;
  };
  await waitUntil('the engine has told', async () => (await told()) !== null);
  const [entry] = ((await send(`${one.url}/v1/models`)).json as { data: { max_model_len: number }[] }).data;
  assert.equal(await told(), entry?.max_model_len);
});

test('dead and stuck engines hold up neither the model list nor readiness', async () => {
  const list = await send(`${gateway.url}/api/models`, { headers: { authorization } });
  assert.deepEqual(
    (list.json as { data: { id: string }[] }).data.map(({ id }) => id),
    ['twin', 'lost', 'stuck'],
  );
  assert.equal((await send(`${gateway.url}/lost/v1/models`)).status, 200);
  assert.equal((await send(`${gateway.url}/readyz`)).status, 200);
  const lost = await send(`${gateway.url}/lost/v1/chat/completions`, {
    body: { model: 'lost', messages: ask('x') },
  });
  assert.ok([502, 503].includes(lost.status), lost.text);
  await waitUntil('the dead engine is put aside', async () => {
    const answer = await send(`${gateway.url}/lost/v1/chat/completions`, {
      body: { model: 'lost', messages: ask('x') },
    });
    return (
      answer.status === 503 &&
      answer.error.code === 'engine_unavailable' &&
      Number(answer.headers['retry-after']) >= 1
    );
  });
});

test('work goes to the engine with the least in hand', async () => {
  const streams = [];
  for (let index = 0; index < 8; index++) streams.push(await occupy());
  assert.deepEqual([one.activeGenerations, two.activeGenerations], [4, 4]);
  for (const stream of streams) stream.leave();
  await waitUntil('both are idle', () => one.activeGenerations + two.activeGenerations === 0);
});

test('a 4xx never counts against an engine', async () => {
  for (const status of [400, 404, 409, 413, 418, 422, 429]) {
    for (let round = 0; round < 4; round++) {
      const { status: seen } = await post(`sim:status=${status}`);
      assert.ok((seen >= 400 && seen < 500) || seen === 501, `${status} became ${seen}`);
    }
  }
  const before = one.generations.length + two.generations.length;
  const streams = [await occupy(), await occupy()];
  assert.deepEqual([one.activeGenerations, two.activeGenerations], [1, 1]);
  assert.equal(one.generations.length + two.generations.length, before + 2);
  for (const stream of streams) stream.leave();
});

test('prompts that fail on every engine do not take the engines from the others', async () => {
  for (let round = 0; round < 8; round++) {
    const failing = await Promise.all(Array.from({ length: 4 }, () => post('sim:status=500')));
    assert.deepEqual(new Set(failing.map(({ status }) => status)), new Set([502]));
    assert.equal((await post('hello')).status, 200);
  }
});

test('every try at an answer has a name of its own, made of the one that the caller gets', async () => {
  const mine = mark();
  const refused = await post(`${mine} sim:reset`);
  assert.equal(refused.status, 502, refused.text);
  const tries = [...one.requestsMarked(mine), ...two.requestsMarked(mine)];
  const names = tries.map(({ headers }) => String(headers['x-request-id']));
  assert.ok(names.length >= 2 && one.requestsMarked(mine).length * two.requestsMarked(mine).length > 0);
  assert.equal(new Set(names).size, names.length, names.join(' '));
  assert.ok(names.every((name) => name.endsWith(String(refused.headers['x-request-id']))));
  assert.equal((await post('hello')).status, 200);
});

test('work that engines have from elsewhere counts', async () => {
  one.control.extraLoad = 50;
  await waitUntil('the other one is preferred', async () => {
    const mine = mark();
    await Promise.all([
      post(`${mine} sim:slow=50`),
      post(`${mine} sim:slow=50`),
      post(`${mine} sim:slow=50`),
    ]);
    return two.marked(mine).length === 3;
  });
  one.control.extraLoad = 0;
  await waitUntil('they share again', async () => {
    const mine = mark();
    await Promise.all([post(`${mine} sim:slow=50`), post(`${mine} sim:slow=50`)]);
    return one.marked(mine).length === 1;
  });
});

test('an engine that dies is put aside without a failed request, and comes back when it generates again', async () => {
  await waitUntil('both are idle', () => one.activeGenerations + two.activeGenerations === 0);
  await one.refuseConnections();
  for (let round = 0; round < 10; round++) assert.equal((await post('hello')).status, 200);
  await waitUntil('it is reported', () =>
    /"engine":"one".*put aside|put aside.*"engine":"one"/.test(gateway.logs()),
  );
  // It listens again, but cannot generate: a GET would call it healthy.
  one.control.everyGeneration = 'sim:status=500';
  const probed = one.requests.length;
  await one.acceptAgain();
  await waitUntil('it was probed with a generation', () =>
    one.requests.slice(probed).some(({ method }) => method === 'POST'),
  );
  for (let round = 0; round < 4; round++) assert.equal((await post('hello')).status, 200);
  one.control.everyGeneration = '';
  await waitUntil(
    'it serves again',
    async () => {
      const mine = mark();
      await Promise.all([post(`${mine} sim:slow=200`), post(`${mine} sim:slow=200`)]);
      return one.marked(mine).length > 0;
    },
    40_000,
  );
});

test('a stream whose engine died before its first frame is had elsewhere', async () => {
  let moved = 0;
  for (let round = 0; round < 4; round++) {
    const mine = mark();
    // Only the first engine that gets it dies.
    one.control.everyGeneration = 'sim:die-after=0';
    const stream = await openStream(url, { body: { model: 'twin', stream: true, messages: ask(mine) } });
    assert.equal(await stream.ended, 'complete');
    assert.equal(stream.frames().at(-1), '[DONE]');
    assert.equal(
      stream.chunks().some((chunk) => chunk.error !== undefined),
      false,
    );
    moved += one.marked(mine).length;
    one.control.everyGeneration = '';
  }
  assert.ok(moved >= 1, 'at least one request met the dying engine first');
});

test('an engine that has come back unnoticed is tried before a caller is told that there is none', async () => {
  const asideBefore = timesPutAside('two');
  await two.refuseConnections();
  await waitUntil('two is put aside', async () => {
    await post('hello');
    return timesPutAside('two') > asideBefore;
  });
  await two.acceptAgain();
  await one.refuseConnections();
  try {
    assert.equal((await post('hello')).status, 200);
  } finally {
    await one.acceptAgain();
  }
});

test('a whole answer outlives two engines that die under it', async () => {
  const mine = mark();
  for (const { control } of engines) control.everyGeneration = 'sim:hang';
  const answer = post(mine);
  const holder = () => engines.find((engine) => engine.marked(mine).some(({ state }) => state === 'active'));
  const first = await waitUntil('an engine has it', holder);
  await first.refuseConnections();
  const second = await waitUntil('another one has it', () => {
    const found = holder();
    return found === first ? undefined : found;
  });
  for (const { control } of engines) control.everyGeneration = '';
  await first.acceptAgain();
  await second.refuseConnections();
  try {
    const { status, text } = await answer;
    assert.equal(status, 200, text);
  } finally {
    await second.acceptAgain();
  }
});

test('requests that find every engine dead, or known to be, wait for the first that is back, as many as may wait', async () => {
  await waitUntil('both are in service', async () => {
    const { text } = await send(gateway.metricsUrl);
    return ['one', 'two'].every((name) => text.includes(`gatehouse_engine_healthy{engine="${name}"} 1`));
  });
  const paced = await gateway.createKey({ email: 'paced@example.org', project: 'paced' });
  const asideBefore = timesPutAside('one') + timesPutAside('two');
  await Promise.all(engines.map((engine) => engine.refuseConnections()));
  const answers = [post('hello')];
  await waitUntil('both are put aside', () => timesPutAside('one') + timesPutAside('two') >= asideBefore + 2);
  const others = Array.from({ length: 9 }, () => post('hello'));
  const limited = send(`${gateway.url}/api/chat/completions`, {
    headers: { authorization: `bearer ${paced.secret}` },
    body: { model: 'twin', messages: ask('hello') },
  });
  const refused = await Promise.race(others);
  assert.deepEqual([refused.status, refused.error.code], [503, 'engine_unavailable'], refused.text);
  await Promise.all(engines.map((engine) => engine.acceptAgain()));
  const waited = (await Promise.all([...answers, ...others])).filter((answer) => answer !== refused);
  for (const { status, text } of waited) assert.equal(status, 200, text);
  const { status, text, headers } = await limited;
  assert.equal(status, 200, text);
  assert.equal(headers['x-ratelimit-remaining-requests'], '0', 'it counts once, however often it was tried');
});

function timesPutAside(engine: string): number {
  return gateway
    .logs()
    .split('\n')
    .filter((line) => line.includes(`"engine":"${engine}"`) && line.includes('put aside')).length;
}

test('those who wait for an engine to come back are bounded for each member and in all, and who leaves makes room', () => {
  const hopes = createHopes({ maxWaiting: 3, maxWaitingPerMember: 2 });
  const places = ['ada', 'ada', 'ada', 'bob', 'cyd'].map((member) => hopes.enter(member));
  assert.deepEqual(
    places.map((place) => place !== undefined),
    [true, true, false, true, false],
  );
  places[0]?.[Symbol.dispose]();
  assert.ok(hopes.enter('cyd'));
});
