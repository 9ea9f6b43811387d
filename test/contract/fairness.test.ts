import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openStream, send } from '#harness/http-client';
import { ask, mark, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';

/** One engine with two places for two models, and a line of six. */
const service = await startService({
  engine: { maxConcurrent: 2 },
  settings: { limits: { waitingLine: { maxWaiting: 6, maxWait: '60s' } } },
});
after(() => service[Symbol.asyncDispose]());
const { gateway, engineA } = service;
const url = `${service.proxy}/chat/completions`;

async function newCaller(name: string) {
  const person = await gateway.createKey({ name, email: `${name}@example.org` });
  const headers = { authorization: `bearer ${person.secret}` };
  return {
    ask: (words: string, extra: object = {}) =>
      send(url, { headers, body: { model: 'beta-4-scout', messages: ask(words), ...extra } }),
    complete: (body: object) => send(`${service.direct('beta-4-scout')}/completions`, { headers, body }),
    stream: (words: string) =>
      openStream(url, { headers, body: { model: 'beta-4-scout', messages: ask(words), stream: true } }),
  };
}

async function waiting(): Promise<number> {
  const { text } = await send(gateway.metricsUrl);
  const lines = text.split('\n').filter((line) => line.startsWith('gatehouse_requests_waiting{'));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Takes every place until told to leave. */
async function occupy(caller: Awaited<ReturnType<typeof newCaller>>): Promise<() => void> {
  const streams = await Promise.all([1, 2].map(() => caller.stream('sim:frames=100000 sim:every=20')));
  await Promise.all(streams.map((stream) => stream.untilFrames(1)));
  return () => {
    for (const stream of streams) stream.leave();
  };
}

function orderOf(marks: readonly string[]): number[] {
  return engineA.generations
    .map(({ prompt }) => marks.findIndex((each) => prompt.includes(each)))
    .filter((at) => at >= 0);
}

test('one who comes late is served next, not after everything another has asked for', async () => {
  const heavy = await newCaller('heavy');
  const light = await newCaller('light');
  const free = await occupy(heavy);
  const marks = [1, 2, 3, 4, 5].map(() => mark());
  const answers = marks.slice(0, 4).map((each) => heavy.ask(each));
  await waitUntil('four wait', async () => (await waiting()) === 4);
  answers.push(light.ask(marks[4]!, { model: 'gamma-oss-120b' }));
  await waitUntil('five wait', async () => (await waiting()) === 5);
  free();
  assert.deepEqual(new Set((await Promise.all(answers)).map(({ status }) => status)), new Set([200]));
  assert.ok(orderOf(marks).indexOf(4) <= 1, `served in the order ${orderOf(marks).join()}`);
});

test('a full line sends the newest request of whoever holds most of it away', async () => {
  const heavy = await newCaller('greedy');
  const light = await newCaller('modest');
  const free = await occupy(heavy);
  const marks = [1, 2, 3, 4, 5, 6].map(() => mark());
  const answers: ReturnType<typeof heavy.ask>[] = [];
  for (const [index, each] of marks.entries()) {
    answers.push(heavy.ask(each));
    await waitUntil('it waits', async () => (await waiting()) === index + 1);
  }
  const own = mark();
  const modest = light.ask(own);
  const sentAway = await answers[5];
  assert.deepEqual([sentAway?.status, sentAway?.error.code], [429, 'queue_full']);
  assert.ok(Number(sentAway?.headers['retry-after']) >= 1);
  free();
  assert.equal((await modest).status, 200);
  assert.deepEqual(
    (await Promise.all(answers.slice(0, 5))).map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
});

test('several answers at once take several places, and wait until there are so many', async () => {
  const heavy = await newCaller('single');
  const wide = await newCaller('wide');
  const free = await occupy(heavy);
  const own = mark();
  const both = wide.ask(own, { n: 2 });
  await waitUntil('it waits', async () => (await waiting()) === 1);
  free();
  assert.equal((await both).status, 200);
  const tooMany = await wide.ask('sim', { n: 3 });
  assert.deepEqual([tooMany.status, tooMany.error.param], [400, 'n']);
  const prompts = { model: 'beta-4-scout', prompt: ['one', 'two'], n: 2 };
  const product = await wide.complete(prompts);
  assert.deepEqual([product.status, product.error.code], [400, 'invalid_parameter'], product.text);
  assert.match(product.error.message, /4 .*2/);
});
