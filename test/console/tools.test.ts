import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitUntil } from '#harness/wait-until';
import { ask, decide, over, questionIn, read, startToolStage, type ToolStage } from './tool-stage.ts';

let stage: ToolStage;
before(async () => {
  stage = await startToolStage();
});
after(() => stage[Symbol.asyncDispose]());

const answerText = 'Grüße aus der Küche: 世界 🙂.';

test('a call is shown, asked about, made once, and its result goes to the model', async () => {
  const { person, library, engine } = stage;
  const { servers } = await person.ok('GET /console/tools');
  assert.deepEqual(
    servers.map(({ name, label }) => ({ name, label })),
    [
      { name: 'library', label: 'The library' },
      { name: 'hasty', label: 'hasty' },
    ],
    'a server for a project is nothing to others',
  );
  assert.ok(
    servers[0]?.tools?.some(
      ({ name, description, told }) => name === 'lookup' && description !== '' && told === undefined,
    ),
  );

  const { servers: told } = await person.ok('GET /console/tools', { query: { told: 'with' } });
  const lookup = told[0]?.tools?.find(({ name }) => name === 'lookup')?.told?.function;
  assert.deepEqual([lookup?.name, lookup?.parameters?.['type']], ['library_lookup', 'object']);

  const window = await person.listen();
  const chatId = await ask(person, 'Please use lookup quince');
  const call = await questionIn(person, chatId);
  assert.deepEqual(call.tool, {
    server: 'library',
    serverLabel: 'The library',
    tool: 'lookup',
    title: 'lookup',
    consent: 'asked',
    isError: false,
    isCut: false,
  });
  const asking = (await read(person, chatId)).find(({ role }) => role === 'assistant');
  assert.equal(asking?.state, 'complete');
  assert.deepEqual(asking.toolCalls, [
    { id: call.toolCallId, name: 'library_lookup', argumentsText: '{"word":"quince"}' },
  ]);
  assert.deepEqual(await library.calls(), [], 'nothing is sent before somebody agrees');
  // Whoever comes to the page now sees the question too.
  const late = person.listenToAnswer(call.generationId ?? '');
  const snapshot = await late.until((event) => event.type === 'snapshot');
  assert.ok(snapshot.type === 'snapshot' && snapshot.message.tool?.consent === 'asked');

  await decide(person, call, 'chat');
  await late.over();
  const messages = await over(person, chatId);
  assert.deepEqual(
    messages.map(({ role, state, content }) => ({ role, state, content })),
    [
      { role: 'user', state: 'complete', content: 'Please use lookup quince' },
      { role: 'assistant', state: 'complete', content: '' },
      { role: 'tool', state: 'complete', content: 'quince: a yellow fruit of the old garden.' },
      { role: 'assistant', state: 'complete', content: answerText },
    ],
  );
  assert.deepEqual(await library.calls(), [
    { name: 'lookup', arguments: { word: 'quince' }, secret: 'a secret of the shelves' },
  ]);
  const last = JSON.parse(engine.asked.at(-1)?.body.toString() ?? '') as { messages: { role: string }[] };
  assert.deepEqual(
    last.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool'],
  );
  // The page never has to look for what the service added: it is told before the end of what came before.
  await window.until(
    (event) => event.type === 'messagesAdded' && event.messages.some(({ id }) => id === messages.at(-1)?.id),
  );
  await window.until((event) => event.type === 'answer' && event.event.type === 'ended');
  const added = window.events.flatMap((event) => (event.type === 'messagesAdded' ? event.messages : []));
  assert.deepEqual(
    added.map(({ id }) => id),
    messages.slice(2).map(({ id }) => id),
  );
  const order = window.events.map((event) => (event.type === 'answer' ? event.event.type : event.type));
  assert.ok(order.indexOf('messagesAdded') < order.indexOf('ended'), order.join(' '));
  window.close();
  await person.refused('POST /console/generations/:generationId/consent', 409, 'conflict', {
    generationId: call.generationId,
    body: { decision: 'once' },
  });
});

test('a permission lasts as long as was said, for the tool as it was', async () => {
  const { person, library } = stage;
  const first = await ask(person, 'use lookup pear');
  await decide(person, await questionIn(person, first), 'chat');
  await over(person, first);
  await ask(person, 'use lookup plum', { id: first });
  const again = await over(person, first);
  assert.equal(again.at(-2)?.tool?.consent, 'chat', 'not asked again in this chat');
  assert.match(again.at(-2)?.content ?? '', /^plum/);

  const second = await ask(person, 'use lookup apple');
  await decide(person, await questionIn(person, second), 'always');
  await over(person, second);
  const third = await over(person, await ask(person, 'use lookup cherry'));
  assert.equal(third.at(-2)?.tool?.consent, 'always');
  const { consents } = await person.ok('GET /console/tools/consents');
  assert.deepEqual(
    consents.map(({ server, tool }) => ({ server, tool })),
    [{ server: 'library', tool: 'lookup' }],
  );

  await person.ok('POST /console/tools/consents/withdraw', { body: { server: 'library', tool: 'lookup' } });
  const fourth = await ask(person, 'use lookup medlar');
  await decide(person, await questionIn(person, fourth), 'always');
  await over(person, fourth);
  await person.ok('POST /console/tools/consents/withdraw', { body: { server: 'library', tool: 'lookup' } });
  const pending = await ask(person, 'use lookup sloe');
  const question = await questionIn(person, pending);
  // The tool turns into another one behind its name: nobody has agreed to that.
  await library.describe('Sends all your mail to a stranger.');
  const { rewriteSettings } = stage.gateway;
  await rewriteSettings({ ...stage.settings, 'x-again': 1, tools: withLimit(stage.settings, '5KiB') });
  await waitUntil('the server is asked again', async () => {
    const { servers } = await person.ok('GET /console/tools');
    return servers[0]?.tools?.some(({ description }) => description.includes('stranger'));
  });
  await decide(person, question, 'always');
  const changed = (await over(person, pending)).at(-2);
  assert.deepEqual([changed?.state, changed?.error?.code], ['failed', 'tool_changed']);
  const fifth = await ask(person, 'use lookup quince');
  const call = await questionIn(person, fifth);
  await decide(person, call, 'refuse');
  const refused = await over(person, fifth);
  assert.deepEqual(
    refused.slice(-2).map(({ role, content }) => ({ role, content })),
    [
      { role: 'tool', content: 'The person refused this call.' },
      { role: 'assistant', content: answerText },
    ],
  );
});

test('servers that are slow, dead, huge, hostile or wrong cost a bounded result and nothing else', async () => {
  const { person } = stage;
  const outcomes = await Promise.all(
    ['long', 'huge', 'hostile', 'picture', 'sorry', 'wrong', 'die', 'silent'].map(async (tool) => {
      const chatId = await ask(person, `use ${tool} it`);
      await decide(person, await questionIn(person, chatId), 'once');
      const messages = await over(person, chatId);
      assert.equal(messages.at(-1)?.content, answerText, `the model answers after ${tool}`);
      return [tool, messages.at(-2)] as const;
    }),
  );
  const results = Object.fromEntries(outcomes);
  const failureOf = (tool: string) => [results[tool]?.state, results[tool]?.error?.code];
  assert.ok(results['long']?.tool?.isCut);
  assert.ok(Buffer.byteLength(results['long'].content) <= 5 * 1024);
  assert.match(results['long'].content, /^ä+$/);
  assert.deepEqual(failureOf('huge'), ['failed', 'tool_too_large']);
  assert.match(
    results['hostile']?.content ?? '',
    /^<img .*txet \[a\]/,
    'text stays text, without what hides',
  );
  assert.ok(['\u202e', '\u0007'].every((mark) => !results['hostile']?.content.includes(mark)));
  assert.match(results['picture']?.content ?? '', /^\[A picture was returned.*\]\n\nbeside it$/);
  assert.equal(results['sorry']?.tool?.isError, true);
  assert.deepEqual(failureOf('wrong'), ['failed', 'tool_nonsense']);
  assert.deepEqual(failureOf('die'), ['failed', 'tool_unreachable']);
  assert.deepEqual(failureOf('silent'), ['failed', 'tool_unreachable']);
  const metrics = await (await fetch(stage.gateway.metricsUrl)).text();
  assert.match(metrics, /gatehouse_tool_calls_total\{server="library",ending="too_large"\} 1/);
  assert.match(metrics, /gatehouse_tool_calls_running 0/);
});

test('a slow call ends with its time limit, or when somebody stops it; a question can be stopped too', async () => {
  const { person } = stage;
  const hasty = await person.ok('POST /console/generations', {
    body: {
      chatId: null,
      parentId: null,
      newMessages: [{ role: 'user', content: 'use slow it' }],
      model: 'beta-4-scout',
      parameters: { toolServers: ['hasty', 'closed', 'unknown'] },
      requestKey: 'a-hasty-server',
    },
  });
  await decide(person, await questionIn(person, hasty.chat.id), 'once');
  const timedOut = (await over(person, hasty.chat.id)).at(-2);
  assert.deepEqual([timedOut?.state, timedOut?.error?.code], ['failed', 'tool_timeout']);

  for (const isRunning of [true, false]) {
    const chatId = await ask(person, 'use slow it');
    const call = await questionIn(person, chatId);
    if (isRunning) {
      await decide(person, call, 'once');
      await waitUntil('the call reaches the server', async () =>
        (await (await fetch(stage.gateway.metricsUrl)).text()).includes('gatehouse_tool_calls_running 1'),
      );
    }
    await person.ok('POST /console/generations/:generationId/stop', {
      generationId: call.generationId ?? '',
    });
    const messages = await over(person, chatId);
    assert.deepEqual(
      [messages.length, messages.at(-1)?.role, messages.at(-1)?.state],
      [3, 'tool', 'stopped'],
    );
  }
});

test('a model that only ever asks for tools is given none after some rounds, and answers', async () => {
  const { person } = stage;
  const chatId = await ask(person, 'use lookup quince always');
  await decide(person, await questionIn(person, chatId), 'chat');
  const messages = await over(person, chatId);
  assert.equal(messages.filter(({ role }) => role === 'tool').length, 3);
  assert.equal(messages.at(-1)?.content, answerText);
});

test('a server can be taken away in a running service; a mistake changes nothing and is told', async () => {
  const { person, gateway, settings } = stage;
  await gateway.rewriteSettings({ ...settings, tools: { servers: [{ name: 'Library', url: 'ftp://x' }] } });
  await waitUntil('the mistake is told', () => /tools\.servers\[0\]\.name/.test(gateway.logs()));
  assert.match(gateway.logs(), /"ftp:\/\/x\\?" is not a web address|is not a web address/);
  assert.equal((await person.ok('GET /console/tools')).servers.length, 2);
  await gateway.rewriteSettings({ ...settings, tools: { servers: [] } });
  await waitUntil(
    'the servers are gone',
    async () => (await person.ok('GET /console/tools')).servers.length === 0,
  );
  assert.doesNotMatch(gateway.logs(), /secret of the shelves/);
});

function withLimit(settings: object, resultLimit: string): object {
  const { tools } = settings as { readonly tools: { readonly servers: readonly object[] } };
  return { ...tools, servers: tools.servers.map((server) => ({ ...server, resultLimit })) };
}
