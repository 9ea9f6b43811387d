import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openStream, type Received, send } from '#harness/http-client';
import { ask, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-limits-'));
const clockFile = join(scratch, 'clock');

/** One key may do four requests a minute; a course has a budget and one model; another course is over. */
const service = await startService({
  engine: { maxConcurrent: 8 },
  env: {
    NODE_OPTIONS: `--import ${new URL('../harness/jumping-clock.ts', import.meta.url).href}`,
    CLOCK_JUMP_FILE: clockFile,
  },
  settings: {
    sharing: {
      limits: {
        key: { requestsPerMinute: 4, tokensPerMinute: 100_000 },
        person: { requestsAtOnce: 3 },
      },
    },
    projects: [
      {
        id: 'course',
        models: ['beta-4-scout'],
        limits: { costPerDay: 3000 },
        memberLimits: { requestsAtOnce: 1 },
      },
      { id: 'past', ends: '2020-01-31' },
      { id: 'closed', limits: { costInTotal: 0 } },
      { id: 'silent', memberLimits: { requestsPerMinute: 0 } },
      { id: 'purse', limits: { costPerDay: 3000 } },
      { id: 'bounds', limits: { costPerDay: 3000 } },
      { id: 'library', models: ['gamma-oss-120b'] },
      { id: 'daily', limits: { costPerDay: 3000 } },
      { id: 'slow', memberLimits: { requestsPerMinute: 1 } },
    ],
  },
});
after(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true });
});
const { gateway } = service;
const url = `${service.proxy}/chat/completions`;

async function newCaller(name: string, project?: string) {
  const { secret } = await gateway.createKey({ name, email: `${name}@example.org`, project });
  const headers = { authorization: `bearer ${secret}` };
  const body = (words: string, extra: object) => ({ model: 'beta-4-scout', messages: ask(words), ...extra });
  return {
    ask: (words: string, extra: object = {}) => send(url, { headers, body: body(words, extra) }),
    stream: (words: string, maxTokens = 300) =>
      openStream(url, { headers, body: body(words, { stream: true, max_tokens: maxTokens }) }),
    models: () => send(`${service.proxy}/models`, { headers }),
    get: (path: string) => send(`${service.proxy}/${path}`, { headers }),
    post: (path: string, content: object) => send(`${service.proxy}/${path}`, { headers, body: content }),
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
  assert.equal(refused.headers['x-ratelimit-remaining-requests'], '0');
  assert.match(String(refused.headers['x-ratelimit-reset-requests']), /^\d+\.\d\ds$/);
  assert.equal((await (await newCaller('other')).ask('hello')).status, 200);
});

test('whatever is asked of a model says what is left, also when it takes nothing of it or is answered later', async () => {
  const caller = await newCaller('informed');
  const model = 'beta-4-scout';
  const limitAfter = async (asked: Promise<Received>, status: number) => {
    const answer = await asked;
    assert.equal(answer.status, status, answer.text);
    return answer.headers['x-ratelimit-limit-requests'];
  };
  assert.equal(
    await limitAfter(caller.ask('hello', { n: 9 }), 400),
    '4',
    'more than an engine writes at once',
  );
  assert.equal(await limitAfter(caller.ask('hello', { model: 'nobody' }), 404), '4');
  assert.equal(await limitAfter(caller.post('nowhere', {}), 404), '4');
  assert.equal(await limitAfter(caller.post('responses', { model, input: 7, background: true }), 400), '4');
  assert.equal(await limitAfter(caller.models(), 200), undefined, 'as OpenAI does it');
  const left = async (asked: Promise<Received>) => (await asked).headers['x-ratelimit-remaining-requests'];
  assert.equal(await left(caller.ask('hello', { temperature: 'warm' })), '4');
  assert.equal(await left(caller.post('responses', { model, input: 'hello', background: true })), '3');

  const over = await newCaller('eager', 'silent');
  const refused = await over.post('responses', { model, input: 'hello', background: true });
  assert.deepEqual([refused.status, refused.error.code], [429, 'rate_limit_exceeded'], refused.text);
  const id = `resp_${String(refused.headers['x-request-id']).replaceAll('-', '')}`;
  assert.equal((await over.get(`responses/${id}`)).status, 404, 'nothing is left of it');

  const words = ['--person', 'informed@example.org', '--model', model, '--requests-per-minute', '2'];
  await gateway.command('limits', 'set', ...words);
  await waitUntil('the limit of the model counts', async () => {
    return (await limitAfter(caller.ask('hello', { temperature: 'warm' }), 400)) === '2';
  });
  assert.equal(await limitAfter(caller.ask('hello', { model: 'nobody' }), 404), '4');
});

test('an exception for one kind of limit leaves the other kinds as the settings say them', async () => {
  const { secret } = await gateway.createKey({ name: 'excepted', email: 'excepted@example.org' });
  await gateway.command('limits', 'set', '--key', secret.slice(0, 9), '--requests-per-minute', '1000');
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

test('a budget is reserved before it is spent, what is not used comes back, and a refusal says what would fit', async () => {
  const caller = await newCaller('spender', 'purse');
  const refusal = async (maxTokens: number) => {
    const { status, error, headers } = await caller.ask('hello', { max_tokens: maxTokens });
    assert.deepEqual([status, error.code, headers['x-should-retry']], [429, 'insufficient_quota', 'false']);
    return { message: error.message, retryAfter: headers['retry-after'] };
  };
  const tooMuch = await refusal(5000);
  assert.match(tooMuch.message, /up to 15\d{3}, more than the whole budget of 3000 per day of this project/);
  assert.match(tooMuch.message, /fewer tokens.*An administrator can raise it/);
  assert.equal(tooMuch.retryAfter, undefined, 'no day has room for it');

  const running = await caller.stream('sim:frames=300 sim:every=1000', 300);
  await running.untilFrames(1);
  const reserved = await refusal(800);
  assert.match(reserved.message, /are left, of which running requests have reserved 9\d\d\. Wait until/);
  assert.ok(Number(reserved.retryAfter) <= 60, 'it is not the day that has to end');
  running.leave();
  await waitUntil(
    'what was not used is back',
    async () => (await caller.ask('sim:frames=100', { max_tokens: 800 })).status === 200,
  );

  const late = await refusal(950);
  assert.match(late.message, /of the budget of 3000 per day of this project 2\d{3} are left/);
  assert.match(late.message, /renews at \d{4}-\d\d-\d\d 00:00 UTC.*An administrator can raise it/);
  assert.equal((await caller.ask('hello', { max_tokens: 400 })).status, 200);
});

test('what is reserved is what may be written: nothing for vectors, and no bound counts that engines ignore', async () => {
  const { secret } = await gateway.createKey({
    name: 'bounds',
    email: 'bounds@example.org',
    project: 'bounds',
  });
  const headers = { authorization: `bearer ${secret}` };
  const statusOf = async (endpoint: string, body: object) =>
    (await send(`${service.proxy}/${endpoint}`, { headers, body: { model: 'beta-4-scout', ...body } }))
      .status;
  assert.equal(await statusOf('embeddings', { input: 'hello' }), 200);
  const chat = (bounds: object) => statusOf('chat/completions', { messages: ask('hello'), ...bounds });
  assert.equal(await chat({ max_tokens: 5 }), 200);
  for (const bounds of [
    { max_output_tokens: 5 },
    { max_tokens: 0 },
    { max_completion_tokens: 5, max_tokens: 5000 },
    { max_completion_tokens: 5000, max_tokens: 5 },
    { max_tokens: 5, n_predict: 5000 },
    { max_tokens: 300, n: 5 },
    { max_tokens: 300, best_of: 5 },
  ])
    assert.equal(await chat(bounds), 429, JSON.stringify(bounds));
});

test('what allows nothing and a project that is over refuse everything, each in its own words', async () => {
  const none = await (await newCaller('nothing', 'closed')).ask('hello');
  assert.deepEqual([none.status, none.error.code], [429, 'insufficient_quota']);
  const still = await (await newCaller('still', 'silent')).ask('hello');
  assert.deepEqual([still.status, still.error.code], [429, 'rate_limit_exceeded']);
  for (const { headers, error } of [none, still]) {
    assert.equal(headers['retry-after'], undefined);
    assert.doesNotMatch(JSON.stringify(headers), /NaN|Infinity/);
    assert.match(error.message, /lets nothing through.*administrator can raise it/);
  }
  const past = await (await newCaller('late', 'past')).ask('hello');
  assert.deepEqual([past.status, past.error.code], [403, 'project_ended']);
  assert.match(past.error.message, /ended on 2020-01-31/);
});

test('somebody in three projects has the models and limits of each there, and their own in all together', async () => {
  const keyIn = async (project: string) => {
    const { secret } = await gateway.createKey({ name: project, email: 'trio@example.org', project });
    const headers = { authorization: `bearer ${secret}` };
    const endless = { messages: ask('sim:frames=100 sim:every=1000'), stream: true, max_tokens: 100 };
    return {
      ask: (model: string) => send(url, { headers, body: { model, messages: ask('hello'), max_tokens: 5 } }),
      stream: (model: string) => openStream(url, { headers, body: { model, ...endless } }),
    };
  };
  const course = await keyIn('course');
  const library = await keyIn('library');
  const closed = await keyIn('closed');
  assert.equal((await course.ask('gamma-oss-120b')).error.code, 'model_not_permitted');
  assert.equal((await library.ask('beta-4-scout')).error.code, 'model_not_permitted');
  assert.equal((await closed.ask('beta-4-scout')).error.code, 'insufficient_quota');

  const streams = [await course.stream('beta-4-scout')];
  await streams[0]!.untilFrames(1);
  const second = await course.ask('beta-4-scout');
  assert.equal(second.error.code, 'rate_limit_exceeded');
  assert.match(second.error.message, /of each member of this project/);
  streams.push(await library.stream('gamma-oss-120b'), await library.stream('gamma-oss-120b'));
  for (const stream of streams) await stream.untilFrames(1);
  const fourth = await library.ask('gamma-oss-120b');
  assert.equal(fourth.error.code, 'rate_limit_exceeded');
  assert.match(fourth.error.message, /of your account/);
  for (const stream of streams) stream.leave();
  await waitUntil('they are over', async () => (await library.ask('gamma-oss-120b')).status === 200);
});

test('a clock that jumps gives nobody more by the minute, ends no answer, and begins no day twice', async () => {
  const dayMs = 86_400_000;
  /** The books say what time the service thought it was. */
  const jumpBy = async (skewMs: number) => {
    writeFileSync(clockFile, String(skewMs));
    await waitUntil('the clock has jumped', async () => {
      const answer = await send(`${service.direct('beta-4-scout')}/chat/completions`, {
        body: { model: 'beta-4-scout', messages: ask('hello') },
      });
      assert.equal(answer.status, 200);
      const thereMs = Date.now() + skewMs;
      return gateway.usageRecords().some(({ started_at: at }) => Math.abs(at - thereMs) < dayMs / 2);
    });
  };
  const spendMost = async (name: string) => {
    const spender = await newCaller(name, 'daily');
    assert.equal((await spender.ask('sim:frames=600', { max_tokens: 700 })).status, 200);
    return waitUntil('it is spent', async () => {
      const { status, error } = await spender.ask('hello', { max_tokens: 700 });
      return status === 429 && error.code === 'insufficient_quota';
    });
  };
  const slow = await newCaller('patient', 'slow');
  const firstMs = performance.now();
  assert.equal((await slow.ask('hello')).status, 200);
  const isStillRefused = async () => {
    const { status, headers } = await slow.ask('hello');
    const isOver = performance.now() - firstMs >= 60_000;
    assert.ok(status === 429 || isOver, 'a minute is a minute');
    assert.ok(isOver || Number(headers['retry-after']) <= 60, 'the wait is true');
  };
  const running = await (await newCaller('reader')).stream('sim:frames=20000 sim:every=20', 20_000);
  await running.untilFrames(1);

  await spendMost('before');
  await jumpBy(2 * dayMs);
  await isStillRefused();
  await spendMost('after');

  await jumpBy(-30 * dayMs);
  await isStillRefused();
  const again = await (await newCaller('back')).ask('hello');
  assert.equal(again.status, 200, 'whoever has a limit left is served');
  const spent = await (await newCaller('thrifty', 'daily')).ask('hello', { max_tokens: 700 });
  assert.deepEqual([spent.status, spent.error.code], [429, 'insufficient_quota']);
  await running.untilFrames(running.frames().length + 5);
  running.leave();
});
