import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mark, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import { searchByMeaning } from './searched-by-meaning.ts';
import { Visitor } from './visitor.ts';

test('in the real program a chat walks the road of the doors, is stopped on the engine and is counted', async (t) => {
  await using service = await startService();
  const { gateway, engineA, engineB } = service;
  const link = await waitUntil(
    'the first start prints a link',
    () => /#link=(\S+)/.exec(gateway.logs())?.[1],
  );
  const operator = new Visitor(gateway.url);
  await operator.ok('POST /console/sign-in/link', { body: { token: link } });
  const begin = (content: string, model: string) =>
    operator.ok('POST /console/generations', {
      body: {
        chatId: null,
        parentId: null,
        newMessages: [{ role: 'user', content }],
        model,
        requestKey: mark(),
      },
    });

  // SGLang does not tell what the template adds to a message: that part is estimated.
  for (const [model, words, isEstimated] of [
    ['alpha-R1', 3 + 6, true],
    ['beta-4-scout', 3, false],
  ] as const) {
    const body = { chatId: null, parentId: null, content: 'Think and answer', documents: [], model };
    const { parts } = await operator.ok('POST /console/context', { body });
    assert.deepEqual([parts.isEstimated, parts.conversation], [isEstimated, words], model);
  }
  const { generation, chat } = await begin('Think and answer', 'alpha-R1');
  const stream = operator.listenToAnswer(generation.id, 0);
  await stream.over();
  const end = stream.events.at(-1);
  assert.ok(end?.type === 'ended' && end.state === 'complete', JSON.stringify(end));
  const { messages } = await operator.ok('GET /console/chats/:chatId', { chatId: chat.id });
  const answer = messages.at(-1)!;
  assert.ok(answer.content !== '' && answer.reasoning !== '' && !answer.content.includes('<think>'));
  assert.ok((answer.usage?.outputTokens ?? 0) > 0);
  await operator.ok('PUT /console/chats/:chatId/messages/:messageId/feedback', {
    chatId: chat.id,
    messageId: answer.id,
    body: { feedback: { verdict: 'good', word: 'clear' } },
  });
  assert.match((await gateway.command('feedback', '--csv')).stdout, /^alpha-R1,good,clear,1\r$/m);
  assert.ok(engineB.requests.every(({ headers }) => headers.cookie === undefined));

  const word = mark();
  const endless = await begin(`${word} sim:frames=100000 sim:every=20`, 'beta-4-scout');
  const live = operator.listenToAnswer(endless.generation.id);
  await live.until((event) => event.type === 'content');
  live.close();
  await operator.ok('POST /console/generations/:generationId/stop', { generationId: endless.generation.id });
  await waitUntil('the engine has stopped', () => engineA.activeGenerations === 0);

  const rows = await waitUntil('the chat is in the books', async () => {
    const report = await operator.ok('GET /console/usage');
    const own = report.rows.filter(({ door }) => door === 'chat');
    return own.some(({ model }) => model === 'beta-4-scout') ? own : undefined;
  });
  assert.ok(rows.every(({ keyId, outputTokens }) => keyId === null && outputTokens > 0));
  const csv = await operator.call('GET /console/usage.csv');
  assert.match(csv.text, /^day,model,door,key,requests,.*\r\n\d{4}-\d\d-\d\d,/);

  const { models } = await operator.ok('GET /console/models');
  assert.deepEqual(
    models.map(({ health }) => health),
    ['healthy', 'healthy', 'healthy'],
  );
  const connect = await operator.ok('GET /console/connect');
  assert.equal(connect.models[0]?.directBase, `${gateway.url}/engine-b/v1/`);
  const { engines } = await operator.ok('GET /console/administration/engines');
  assert.deepEqual(
    engines.map(({ name }) => name),
    ['engine-a', 'engine-b'],
  );
  const { settings } = await operator.ok('GET /console/administration/settings');
  assert.ok(settings.some(({ name, source }) => name === 'log.level' && source.includes('gatehouse.yaml')));
  assert.doesNotMatch(gateway.logs(), /Think and answer|"cookie"/);

  await t.test(
    'documents are searched by meaning where a model makes vectors, and by words where it is gone',
    () => searchByMeaning(service, operator),
  );
});

test('whoever waits in the chat is told their place, and then answered', async () => {
  await using service = await startService({ engine: { maxConcurrent: 1 } });
  const { gateway, engineA } = service;
  const link = await waitUntil(
    'the first start prints a link',
    () => /#link=(\S+)/.exec(gateway.logs())?.[1],
  );
  const operator = new Visitor(gateway.url);
  await operator.ok('POST /console/sign-in/link', { body: { token: link } });
  const begin = (content: string) =>
    operator.ok('POST /console/generations', {
      body: {
        chatId: null,
        parentId: null,
        newMessages: [{ role: 'user', content }],
        model: 'beta-4-scout',
        requestKey: mark(),
      },
    });
  const first = await begin('sim:frames=100000 sim:every=20');
  await waitUntil('it is being answered', () => engineA.activeGenerations === 1);
  const second = await begin('hello');
  const stream = operator.listenToAnswer(second.generation.id, 0);
  const told = await stream.until((event) => event.type === 'waiting');
  assert.ok(told.type === 'waiting' && told.place === 1 && (told.seconds ?? 0) >= 1, JSON.stringify(told));
  await operator.ok('POST /console/generations/:generationId/stop', { generationId: first.generation.id });
  await stream.over();
  const end = stream.events.at(-1);
  assert.ok(end?.type === 'ended' && end.state === 'complete', JSON.stringify(end));
});
