import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { begin, openStream, send } from '#harness/http-client';
import { revokeKey } from '#harness/key-office';
import { ask, mark, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';

/** An engine with one seat and a line of two, for callers whose requests are counted by the minute. */
const service = await startService({
  engine: { maxConcurrent: 1 },
  settings: {
    heartbeat: '1s',
    limits: { waitingLine: { maxWaiting: 2, maxWait: '60s' } },
    // No more at once than any test here has: whoever is refused or leaves has to give theirs back.
    sharing: { limits: { member: { requestsPerMinute: 100_000, requestsAtOnce: 4 } } },
  },
});
after(() => service[Symbol.asyncDispose]());
const { gateway, engineA, engineB } = service;

const url = `${service.direct('beta-4-scout')}/chat/completions`;
const body = (words: string, extra: object = {}) => ({
  model: 'beta-4-scout',
  messages: ask(words),
  ...extra,
});
const waiting = async () => {
  const { text } = await send(gateway.metricsUrl);
  const lines = text.split('\n').filter((line) => /^gatehouse_requests_waiting(\{[^}]*\})? /.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

/** Takes the only seat until it is told to leave. */
async function occupy(): Promise<() => Promise<void>> {
  const mine = mark();
  const stream = await openStream(url, {
    body: body(`${mine} sim:frames=100000 sim:every=20`, { stream: true }),
  });
  await stream.untilFrames(1);
  return async () => {
    stream.leave();
    await waitUntil('the seat is free', () => engineA.marked(mine)[0]?.state === 'aborted');
  };
}

test('whoever waits is served in turn, whoever finds the line full is told when to come back', async () => {
  const free = await occupy();
  const marks = [mark(), mark()];
  const first = send(url, { body: body(marks[0]!) });
  await waitUntil('one waits', async () => (await waiting()) === 1);
  const second = send(url, { body: body(marks[1]!) });
  await waitUntil('two wait', async () => (await waiting()) === 2);
  const third = await send(url, { body: body('too many') });
  assert.deepEqual([third.status, third.error.code], [429, 'queue_full']);
  const seconds = Number(third.headers['retry-after']);
  assert.ok(seconds >= 1 && seconds <= 60);
  assert.equal(third.headers['x-ratelimit-limit-requests'], '100000');
  // A full line of one model is nobody else's problem.
  const other = await send(`${service.direct('engine-b')}/chat/completions`, {
    body: { model: 'alpha-R1', messages: ask('x') },
  });
  assert.equal(other.status, 200);
  await free();
  assert.deepEqual([(await first).status, (await second).status], [200, 200]);
  const order = engineA.generations
    .map(({ prompt }) => marks.findIndex((each) => prompt.includes(each)))
    .filter((at) => at >= 0);
  assert.deepEqual(order, [0, 1]);
});

test('a caller who leaves the line gives up the place and never reaches the engine', async () => {
  const free = await occupy();
  const mine = mark();
  const leaving = new AbortController();
  const gone = begin(url, { body: body(mine) }, leaving.signal).catch(() => {});
  await waitUntil('one waits', async () => (await waiting()) === 1);
  leaving.abort();
  await gone;
  await waitUntil('nobody waits', async () => (await waiting()) === 0);
  await free();
  assert.equal((await send(url, { body: body('after') })).status, 200);
  assert.equal(engineA.requestsMarked(mine).length, 0);
});

test('a key revoked while it waits is not served', async () => {
  const free = await occupy();
  const key = await gateway.createKey({ name: 'waiting' });
  const mine = mark();
  const answer = send(`${service.proxy}/chat/completions`, {
    headers: { authorization: `bearer ${key.secret}` },
    body: body(mine),
  });
  await waitUntil('it waits', async () => (await waiting()) === 1);
  await revokeKey(gateway.dataDir, key.id);
  await waitUntil('it was sent away', async () => (await waiting()) === 0);
  assert.equal((await answer).status, 401);
  await free();
  assert.equal(engineA.requestsMarked(mine).length, 0);
});

test('a stream that waits is kept alive and then answered', async () => {
  const free = await occupy();
  const stream = openStream(url, { body: body('patient', { stream: true }) });
  await waitUntil('one waits', async () => (await waiting()) === 1);
  // Its head has left before its turn has come.
  const answer = await stream;
  assert.equal(answer.headers['x-ratelimit-limit-requests'], '100000');
  await free();
  assert.equal(await answer.ended, 'complete');
  assert.equal(answer.frames().at(-1), '[DONE]');
  assert.equal(engineB.activeGenerations, 0);
});

test('whoever has been told a place keeps it, also when somebody comes who holds less of a full line', async () => {
  const free = await occupy();
  const key = await gateway.createKey({ name: 'newcomer' });
  // Their heads leave with the first word of their place.
  const told = [
    await openStream(url, { body: body('one', { stream: true }) }),
    await openStream(url, { body: body('another', { stream: true }) }),
  ];
  const newcomer = await send(`${service.proxy}/chat/completions`, {
    headers: { authorization: `bearer ${key.secret}` },
    body: body('newcomer'),
  });
  assert.deepEqual([newcomer.status, newcomer.error.code], [429, 'queue_full']);
  await free();
  for (const stream of told) {
    assert.equal(await stream.ended, 'complete');
    assert.ok(stream.chunks().every(({ error }) => error === undefined));
  }
});

test('an engine that dies with a full line leaves nobody waiting for it, and serves the next when it is back', async () => {
  const mine = mark();
  const running = await openStream(url, {
    body: body(`${mine} sim:frames=100000 sim:every=20`, { stream: true }),
  });
  await running.untilFrames(1);
  const answers = [send(url, { body: body('first') }), send(url, { body: body('second') })];
  await waitUntil('the line is full', async () => (await waiting()) === 2);
  await engineA.refuseConnections();
  for (const { status, error, headers } of await Promise.all(answers)) {
    assert.ok(status === 502 || status === 503, `${status}`);
    assert.ok(['engine_failed', 'engine_unavailable'].includes(error.code ?? ''), error.code ?? '');
    assert.ok(status === 502 || Number(headers['retry-after']) >= 1);
    assert.equal(headers['x-ratelimit-limit-requests'], '100000');
  }
  await running.ended;
  assert.ok(
    running.chunks().some(({ error }) => error !== undefined),
    'the broken answer says so',
  );
  await waitUntil('nobody waits', async () => (await waiting()) === 0);
  // A line of nobody is nobody's problem: the other model was never touched.
  const other = await send(`${service.direct('engine-b')}/chat/completions`, {
    body: { model: 'alpha-R1', messages: ask('x') },
  });
  assert.equal(other.status, 200);
  await engineA.acceptAgain();
  await waitUntil(
    'it serves again',
    async () => (await send(url, { body: body('after') })).status === 200,
    60_000,
  );
});
