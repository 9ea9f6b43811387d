import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openStream, send } from '#harness/http-client';
import { ask, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';

/** One person may do four requests a minute; a course has a budget and one model; another course is over. */
const service = await startService({
  engine: { maxConcurrent: 8 },
  settings: {
    sharing: { limits: { key: { requestsPerMinute: 4, tokensPerMinute: 100_000 } } },
    projects: [
      {
        id: 'course',
        models: ['beta-4-scout'],
        limits: { costPerDay: 3000 },
        memberLimits: { requestsAtOnce: 1 },
      },
      { id: 'past', ends: '2020-01-31' },
      { id: 'closed', limits: { costInTotal: 0 } },
    ],
  },
});
after(() => service[Symbol.asyncDispose]());
const { gateway } = service;
const url = `${service.proxy}/chat/completions`;

async function newCaller(name: string, project?: string) {
  const { secret } = await gateway.createKey({ name, email: `${name}@example.org`, project });
  const headers = { authorization: `bearer ${secret}` };
  const body = (words: string, extra: object) => ({ model: 'beta-4-scout', messages: ask(words), ...extra });
  return {
    ask: (words: string, extra: object = {}) => send(url, { headers, body: body(words, extra) }),
    stream: (words: string) =>
      openStream(url, { headers, body: body(words, { stream: true, max_tokens: 300 }) }),
    models: () => send(`${service.proxy}/models`, { headers }),
  };
}

test('requests per minute are counted down in the headers, refused with a true wait, and are nobody else’s', async () => {
  const caller = await newCaller('counted');
  const remaining: (string | undefined)[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const answer = await caller.ask('hello');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['x-ratelimit-limit-requests'], '4');
    remaining.push(String(answer.headers['x-ratelimit-remaining-requests']));
    assert.match(String(answer.headers['x-ratelimit-reset-tokens']), /^\d+\.\d\ds$/);
  }
  assert.deepEqual(remaining, ['3', '2', '1', '0']);
  const refused = await caller.ask('hello');
  assert.deepEqual([refused.status, refused.error.code], [429, 'rate_limit_exceeded']);
  const seconds = Number(refused.headers['retry-after']);
  assert.ok(seconds >= 1 && seconds <= 15, `one of four a minute comes back within 15 s, not ${seconds}`);
  assert.equal((await (await newCaller('other')).ask('hello')).status, 200);
});

test('an exception for one kind of limit leaves the other kinds as the settings say them', async () => {
  const { id, secret } = await gateway.createKey({ name: 'excepted', email: 'excepted@example.org' });
  await gateway.command('limits', 'set', '--key', id, '--requests-per-minute', '1000');
  const headers = { authorization: `bearer ${secret}` };
  const answer = await waitUntil('the exception counts', async () => {
    const each = await send(url, { headers, body: { model: 'beta-4-scout', messages: ask('hello') } });
    return each.headers['x-ratelimit-limit-requests'] === '1000' ? each : undefined;
  });
  assert.equal(answer.headers['x-ratelimit-limit-tokens'], '100000');
});

test('a key of a project may use the models of the project only, and counts for it', async () => {
  const caller = await newCaller('student', 'course');
  const list = (await caller.models()).json as { data: { id: string }[] };
  assert.deepEqual(
    list.data.map(({ id }) => id),
    ['beta-4-scout'],
  );
  const other = await caller.ask('hello', { model: 'gamma-oss-120b' });
  assert.deepEqual([other.status, other.error.code], [403, 'model_not_permitted']);
});

test('each member of a project has their own number of requests at once', async () => {
  const first = await newCaller('first', 'course');
  const stream = await first.stream('sim:frames=100000 sim:every=20');
  await stream.untilFrames(1);
  const second = await first.ask('hello', { max_tokens: 5 });
  assert.deepEqual([second.status, second.error.code], [429, 'rate_limit_exceeded']);
  assert.equal((await (await newCaller('second', 'course')).ask('hello', { max_tokens: 5 })).status, 200);
  stream.leave();
  await waitUntil('it is over', async () => (await first.ask('hello', { max_tokens: 5 })).status === 200);
});

test('a budget is reserved before it is spent, and what is not used comes back', async () => {
  const caller = await newCaller('spender', 'course');
  const tooMuch = await caller.ask('hello', { max_tokens: 5000 });
  assert.deepEqual([tooMuch.status, tooMuch.error.code], [429, 'insufficient_quota']);
  assert.match(tooMuch.error.message, /renews at \d{4}-\d\d-\d\d 00:00 UTC.*An administrator can raise it/);
  assert.equal(tooMuch.headers['x-should-retry'], 'false');
  for (let turn = 0; turn < 2; turn++)
    assert.equal((await caller.ask('hello', { max_tokens: 400 })).status, 200);
});

test('a budget of zero and a project that is over refuse everything, each in its own words', async () => {
  const none = await (await newCaller('nothing', 'closed')).ask('hello');
  assert.deepEqual([none.status, none.error.code], [429, 'insufficient_quota']);
  assert.equal(none.headers['retry-after'], undefined);
  const past = await (await newCaller('late', 'past')).ask('hello');
  assert.deepEqual([past.status, past.error.code], [403, 'project_ended']);
  assert.match(past.error.message, /ended on 2020-01-31/);
});
