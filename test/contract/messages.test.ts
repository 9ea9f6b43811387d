import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { mark } from '#harness/service';
import { standardArguments, standardPieces, standardThoughts } from '#harness/simulated-answer';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { pocketModelFile } from '../../src/settings/default-catalogue.ts';

/** Anthropic's own package against every kind of engine on both doors: none of them is asked in this dialect. */
const vllm = await startSimulatedEngine({
  flavour: 'vllm',
  models: ['org/beta', { id: 'org/gamma', reasoning: 'fields' }],
});
const sglang = await startSimulatedEngine({
  flavour: 'sglang',
  models: [{ id: 'org/alpha', reasoning: 'fields' }],
});
const plain = await startSimulatedEngine({ flavour: 'openai', models: ['org/delta'] });
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    heartbeat: '1s',
    limits: { maxBody: '1MiB', maxTools: 4 },
    engines: [
      { name: 'vllm', kind: 'vllm', url: vllm.url },
      { name: 'sglang', kind: 'sglang', url: sglang.url },
      { name: 'plain', kind: 'openai', url: plain.url },
      { name: 'pocket', kind: 'embedded', modelFile: pocketModelFile, maxConcurrent: 4 },
    ],
    models: [
      { id: 'Beta', path: 'beta', engines: [{ engine: 'vllm', model: 'org/beta' }], tools: true },
      {
        id: 'Gamma',
        path: 'gamma',
        engines: [{ engine: 'vllm', model: 'org/gamma', reasoning: 'fields' }],
        tools: true,
        reasoning: 'separate',
        reasoningEffort: true,
        context: 8192,
      },
      {
        id: 'Alpha',
        path: 'alpha',
        engines: [{ engine: 'sglang', model: 'org/alpha', reasoning: 'fields' }],
        tools: true,
        reasoning: 'think-tags',
      },
      { id: 'Simple', path: 'simple', engines: [{ engine: 'plain', model: 'org/delta' }] },
      {
        id: 'Pocket',
        path: 'pocket',
        engines: ['pocket'],
        tools: true,
        reasoning: 'separate',
        reasoningEffort: true,
        context: 2048,
        sampling: { temperature: 0 },
      },
    ],
  },
});
after(async () => {
  await gateway.stop();
  await Promise.all([vllm.stop(), sglang.stop(), plain.stop()]);
});
const { secret: apiKey } = await gateway.createKey();
const text = standardPieces.join('');
const thoughts = standardThoughts.join('');
const clients: Record<string, (path: string) => Anthropic> = {
  proxy: () => new Anthropic({ baseURL: `${gateway.url}/api`, apiKey, maxRetries: 0 }),
  direct: (path) => new Anthropic({ baseURL: `${gateway.url}/${path}`, apiKey: 'none', maxRetries: 0 }),
};
const weather: Anthropic.Tool = {
  name: 'weather',
  description: 'The weather in a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const user = (content: Anthropic.MessageParam['content']): Anthropic.MessageParam => ({
  role: 'user',
  content,
});
const plainWords = ({ content }: Anthropic.Message): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

for (const [door, clientAt] of Object.entries(clients)) {
  test(`${door}: whole and streamed it is the same message, with thoughts only for whom they are asked`, async () => {
    for (const model of ['Beta', 'Gamma', 'Alpha']) {
      const client = clientAt(model.toLowerCase());
      const request = {
        model,
        max_tokens: 1024,
        system: [{ type: 'text' as const, text: 'Be brief.', cache_control: { type: 'ephemeral' as const } }],
        messages: [user('hello sim:cached=1')],
      };
      for (const thinking of [undefined, { type: 'enabled' as const, budget_tokens: 2000 }]) {
        const asked = thinking === undefined ? request : { ...request, thinking };
        const whole = await client.messages.create(asked);
        const thinks = thinking !== undefined && model !== 'Beta';
        assert.deepEqual(
          whole.content.map((block) => (block.type === 'thinking' ? block.thinking : plainWords(whole))),
          thinks ? [thoughts, text] : [text],
        );
        assert.deepEqual(
          [whole.type, whole.role, whole.model, whole.stop_reason, whole.stop_sequence],
          ['message', 'assistant', model, 'end_turn', null],
        );
        assert.equal(whole.usage.cache_read_input_tokens, 1);
        assert.ok(whole.usage.input_tokens > 0 && whole.usage.output_tokens >= standardPieces.length);
        const streamed = await client.messages.stream(asked).finalMessage();
        assert.deepEqual({ ...streamed, id: '' }, { ...whole, id: '', ...onlyStreamed(streamed) });
      }
    }
  });

  test(`${door}: tools are called, and their results come back to the engine as a chat has them`, async () => {
    const request = { model: 'Beta', max_tokens: 1024, tools: [weather] };
    const mine = mark();
    const asked = user([
      { type: 'text', text: `weather ${mine}` },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
    ]);
    const client = clientAt('beta');
    const stream = client.messages.stream({
      ...request,
      tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
      messages: [asked],
    });
    const called = await stream.finalMessage();
    assert.equal(called.stop_reason, 'tool_use');
    const [call] = called.content;
    assert.ok(call?.type === 'tool_use');
    assert.deepEqual([call.name, call.input], ['weather', JSON.parse(standardArguments.join(''))]);
    const answered = await client.messages.create({
      ...request,
      tool_choice: { type: 'none' },
      messages: [
        asked,
        { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'x' }, ...called.content] },
        user([
          { type: 'text', text: 'And now?' },
          {
            type: 'tool_result',
            tool_use_id: call.id,
            is_error: true,
            content: [{ type: 'text', text: 'No wind.' }],
          },
        ]),
      ],
    });
    assert.equal(plainWords(answered), text);
    const [first, second] = vllm.marked(mine).map(({ request: chat }) => chat);
    assert.deepEqual(first?.['tools'], [
      {
        type: 'function',
        function: { name: 'weather', description: 'The weather in a city', parameters: weather.input_schema },
      },
    ]);
    assert.deepEqual(first?.['tool_choice'], { type: 'function', function: { name: 'weather' } });
    assert.equal(first?.['parallel_tool_calls'], false);
    const spoken = second?.['messages'] as { role: string; content: unknown }[];
    assert.deepEqual(
      spoken.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'user'],
    );
    assert.deepEqual(spoken[0]?.content, [
      { type: 'text', text: `weather ${mine}` },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
    ]);
    assert.deepEqual(spoken[2], { role: 'tool', tool_call_id: call.id, content: 'Error: No wind.' });
  });

  test(`${door}: the model inside thinks, calls, stops where it is told to, and counts exactly`, async () => {
    const client = clientAt('pocket');
    const question = { model: 'Pocket', messages: [user('What is 12 times 14?')], system: 'Be brief.' };
    const thinking = await client.messages
      .stream({ ...question, max_tokens: 600, thinking: { type: 'enabled', budget_tokens: 1024 } })
      .finalMessage();
    const [thought] = thinking.content;
    assert.ok(thought?.type === 'thinking' && thought.thinking !== '' && thought.signature !== '');
    assert.ok((thinking.usage.output_tokens_details?.thinking_tokens ?? 0) > 0);

    const called = await client.messages.create({
      ...question,
      max_tokens: 300,
      messages: [user('What is the weather in Boston?')],
      tools: [weather],
      tool_choice: { type: 'any' },
    });
    const call = called.content.find((block) => block.type === 'tool_use');
    assert.ok(called.stop_reason === 'tool_use' && call?.name === 'weather');
    assert.equal(typeof (call.input as { city?: unknown }).city, 'string');

    const prefilled = await client.messages.create({
      ...question,
      max_tokens: 60,
      messages: [user('Count from 1 to 9.'), { role: 'assistant', content: '1, 2, 3, 4,' }],
      stop_sequences: ['7'],
    });
    assert.deepEqual([prefilled.stop_reason, prefilled.stop_sequence], ['stop_sequence', '7']);

    const shaped = await client.messages.create({
      ...question,
      max_tokens: 200,
      output_config: {
        effort: 'low',
        format: {
          type: 'json_schema',
          schema: {
            type: 'object',
            properties: { sum: { type: 'integer' } },
            required: ['sum'],
            additionalProperties: false,
          },
        },
      },
    });
    assert.equal(typeof (JSON.parse(plainWords(shaped)) as { sum: unknown }).sum, 'number');

    const counted = await client.messages.countTokens({ ...question, tools: [weather] });
    const { usage } = await client.messages.create({ ...question, tools: [weather], max_tokens: 1 });
    assert.equal(counted.input_tokens, usage.input_tokens + (usage.cache_read_input_tokens ?? 0));
    // More than the context holds is a ceiling in this dialect, not a mistake.
    const ceiling = client.messages.stream({ ...question, max_tokens: 32_000 });
    assert.equal((await ceiling.finalMessage()).stop_reason, 'end_turn');
  });

  test(`${door}: every engine counts a prompt, and models are listed as the package expects it`, async () => {
    for (const model of ['Beta', 'Alpha', 'Pocket']) {
      const { input_tokens: tokens } = await clientAt(model.toLowerCase()).messages.countTokens({
        model,
        messages: [user('one two three four')],
      });
      assert.ok(tokens >= 4, `${model} counted ${tokens}`);
    }
    const ids: string[] = [];
    for await (const { id, type, display_name: name, created_at: made } of clientAt('beta').models.list()) {
      assert.deepEqual([type, name, Number.isNaN(Date.parse(made))], ['model', id, false]);
      ids.push(id);
    }
    assert.deepEqual(ids, door === 'proxy' ? ['Beta', 'Gamma', 'Alpha', 'Simple', 'Pocket'] : ['Beta']);
    assert.equal((await clientAt('beta').models.retrieve('beta')).id, 'Beta');
    await assert.rejects(clientAt('beta').models.retrieve('nothing'), Anthropic.NotFoundError);
  });
}

test('cut at every byte, with comments and other line ends, the events are the same', async () => {
  const ask = async (words: string) => {
    const answer = await send(`${gateway.url}/gamma/v1/messages`, {
      body: {
        model: 'Gamma',
        max_tokens: 99,
        messages: [user(words)],
        stream: true,
        thinking: { type: 'adaptive' },
      },
    });
    assert.equal(answer.headers['content-type'], 'text/event-stream; charset=utf-8');
    return (
      answer.text
        .split('\n\n')
        // Signs of life come by the clock.
        .filter((frame) => frame !== '' && !frame.startsWith(':') && !frame.startsWith('event: ping'))
        .map((frame) => frame.replace(/"msg_\w+"/, '"msg_"'))
        // Whoever hears a comment before the first word begins with a guess.
        .map((frame) => frame.replace(/("message_start".*"input_tokens":)\d+/, '$1'))
    );
  };
  const whole = await ask('hello there');
  assert.deepEqual(
    whole.map((frame) => /^event: (\w+)/.exec(frame)?.[1]),
    [
      'message_start',
      'content_block_start',
      ...standardThoughts.map(() => 'content_block_delta'),
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      ...standardPieces.map(() => 'content_block_delta'),
      'content_block_stop',
      'message_delta',
      'message_stop',
    ],
  );
  for (const words of ['sim:one-byte', 'sim:split-utf8', 'sim:crlf', 'sim:no-space', 'sim:all-at-once'])
    assert.deepEqual(await ask(`hello ${words}`), await ask('hello sim:comments'), words);
});

test('a stream begins with what the prompt came to: as the engine tells it, or about', async () => {
  const beginning = async (model: string) => {
    const stream = clients['proxy']!('').messages.stream({
      model,
      max_tokens: 8,
      messages: [user(`hello sim:cached=3 ${'and again '.repeat(20)}`)],
    });
    let told = 0;
    stream.on('streamEvent', (event) => {
      if (event.type !== 'message_start') return;
      const {
        input_tokens: input,
        cache_read_input_tokens: cached,
        output_tokens: output,
      } = event.message.usage;
      told = input + (cached ?? 0);
      assert.equal(output, 0, model);
    });
    const { usage } = await stream.finalMessage();
    return { told, all: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) };
  };
  // On a slow machine a sign of life may come before the first word, and with it a guess.
  for (const model of ['Beta', 'Gamma', 'Alpha', 'Pocket'])
    await waitUntil(`${model} tells it`, async () => {
      const { told, all } = await beginning(model);
      assert.ok(all > 20 && told > 20 && told < 500, `${model}: ${told} for ${all}`);
      return told === all;
    });
  const { told, all } = await beginning('Simple');
  assert.ok(told > 20 && told < 200, `${told} for ${all}`);
});

test('whoever waits long is sent signs of life that clients of this dialect know', async () => {
  const answer = await openStream(`${gateway.url}/api/v1/messages`, {
    headers: { 'x-api-key': apiKey },
    body: { model: 'Beta', max_tokens: 99, messages: [user('sim:slow=2500')], stream: true },
  });
  assert.equal(await answer.ended, 'complete');
  const events = [
    ...answer
      .raw()
      .toString()
      .matchAll(/^(?:event: (\w+)|(:.*))$/gm),
  ].map(([, name, comment]) => name ?? comment);
  assert.deepEqual(events.slice(0, 4), [': keep-alive', 'message_start', 'ping', ': keep-alive']);
  assert.equal(events.at(-1), 'message_stop');
});

test('what goes wrong is told in this dialect, with its status, and within a stream as an event', async () => {
  const at = (key: string) => new Anthropic({ baseURL: `${gateway.url}/api`, apiKey: key, maxRetries: 0 });
  const request = { model: 'Beta', max_tokens: 99, messages: [user('hello')] };
  const cases: [() => Promise<unknown>, number, string, RegExp][] = [
    [() => at('gh_wrong').messages.create(request), 401, 'authentication_error', /key/],
    [() => at('gh_wrong').models.list(), 401, 'authentication_error', /key/],
    [() => at(apiKey).messages.create({ ...request, model: 'Delta' }), 404, 'not_found_error', /`Beta`/],
    [
      () => at(apiKey).messages.create({ ...request, system: 'x'.repeat(2 ** 21) }),
      413,
      'request_too_large',
      /./,
    ],
    [
      () => at(apiKey).messages.create({ ...request, messages: [user('sim:status=500')] }),
      502,
      'api_error',
      /engine/,
    ],
    [
      () => at(apiKey).messages.create({ ...request, messages: [user('word '.repeat(50_000))] }),
      400,
      'invalid_request_error',
      /^prompt is too long: /,
    ],
  ];
  for (const [asked, status, type, message] of cases) {
    const error = await refused(asked());
    assert.deepEqual([error.status, error.type], [status, type]);
    assert.match(String(error.apiMessage), message);
  }

  for (const words of [
    'sim:die-after=3',
    'sim:die-mid-frame=3',
    'sim:error-event=3',
    'sim:end-mid-frame=3',
  ]) {
    const stream = at(apiKey).messages.stream({ ...request, messages: [user(`hello ${words}`)] });
    let heard = '';
    stream.on('text', (piece) => (heard += piece));
    const error = await refused(stream.finalMessage());
    assert.deepEqual([error.type, error.status], ['api_error', undefined], words);
    assert.ok(text.startsWith(heard) && heard !== '', `${words}: ${heard}`);
  }

  const { id, secret } = await gateway.createKey({ name: 'slow', email: 'slow@example.org' });
  await gateway.command('limits', 'set', '--key', id, '--requests-per-minute', '1');
  await waitUntil('the limit holds', async () => {
    const error = await at(secret)
      .messages.create(request)
      .then(
        () => undefined,
        (cause: unknown) => cause,
      );
    if (error === undefined) return false;
    assert.ok(error instanceof Anthropic.RateLimitError && error.type === 'rate_limit_error');
    return Number(error.headers.get('retry-after')) > 0;
  });
});

test('what a chat would be refused is refused here, and what nobody heeds is named', async () => {
  const mine = mark();
  const ask = (extra: object, content: unknown = mine) =>
    send(`${gateway.url}/api/v1/messages?beta=true`, {
      headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01', 'anthropic-beta': 'whatever-2026' },
      body: { model: 'Beta', max_tokens: 99, messages: [{ role: 'user', content }], ...extra },
    });
  const image = (source: object) => [
    { type: 'image', source },
    { type: 'text', text: mine },
  ];
  const nested = (depth: number): object => (depth === 0 ? {} : { properties: { inner: nested(depth - 1) } });
  const wrong: [object, unknown, RegExp][] = [
    [{ max_tokens: undefined }, mine, /max_tokens/],
    [{ max_tokens: 1e9 }, mine, /max_tokens/],
    [{ temperature: 3 }, mine, /temperature/],
    [{ stop_sequences: Array.from({ length: 99 }, String) }, mine, /stop/],
    [{ mcp_servers: [{ type: 'url', url: 'https://example.org', name: 'x' }] }, mine, /mcp_servers/],
    [{ container: 'container_1' }, mine, /container/],
    [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, mine, /web_search/],
    [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, mine, /bash/],
    [{ tools: Array.from({ length: 5 }, () => weather) }, mine, /tools/],
    [{ tools: [{ ...weather, description: 'x'.repeat(300_000) }] }, mine, /tools/],
    [{ tools: [{ ...weather, input_schema: nested(40) }] }, mine, /nested/],
    [{ cache_salt: 'x' }, mine, /cache_salt/],
    [{}, image({ type: 'url', url: 'http://127.0.0.1/secret.png' }), /never fetches/],
    [{}, image({ type: 'base64', media_type: 'image/png', data: 'http://127.0.0.1/' }), /base64/],
    [{}, image({ type: 'base64', media_type: 'text/html', data: 'aaaa' }), /image\/png/],
    [{}, image({ type: 'file', file_id: 'file_1' }), /source/],
    [{}, [{ type: 'document', source: { type: 'url', url: 'file:///etc/passwd' } }], /never fetches/],
    [{}, [{ type: 'server_tool_use', id: 'x', name: 'web_search', input: {} }], /server_tool_use/],
  ];
  for (const [extra, content, message] of wrong) {
    const { status, json } = await ask(extra, content);
    const { type, error } = json as { type: string; error: { type: string; message: string } };
    const shown = JSON.stringify({ extra, content }).slice(0, 200);
    assert.deepEqual([status, type, error.type], [400, 'error', 'invalid_request_error'], shown);
    assert.match(error.message, message, shown);
  }
  assert.deepEqual(vllm.requestsMarked(mine), []);
  const fetched = { type: 'tool_use', id: 'call_1', name: 'fetch', input: { url: 'https://example.org/' } };
  const heeded = await ask({
    messages: [user('look'), { role: 'assistant', content: [fetched] }, user('and?')],
    thinking: { type: 'enabled', budget_tokens: 1024 },
    context_management: { edits: [] },
    'odd\r\nname': 1,
    cache_control: { type: 'ephemeral' },
  });
  assert.equal(heeded.status, 200, heeded.text);
  assert.equal(heeded.headers['gatehouse-ignored'], 'thinking.budget_tokens, context_management');
});

test('a caller who leaves ends the generation, and the books say which dialect was spoken', async () => {
  const mine = mark();
  const client = clients['proxy']?.('');
  const stream = client?.messages.stream({
    model: 'Alpha',
    max_tokens: 9999,
    messages: [user(`${mine} sim:frames=5000 sim:every=5`)],
  });
  stream?.on('text', () => stream.abort());
  await assert.rejects(async () => await stream?.finalMessage(), Anthropic.APIUserAbortError);
  await waitUntil('the engine was told to stop', () => sglang.marked(mine)[0]?.state === 'aborted');
  const spoken = () =>
    gateway
      .usageRecords()
      .find(({ endpoint, ending }) => endpoint === 'messages' && ending === 'caller-left');
  await waitUntil('it is in the books', () => spoken() !== undefined);
});

test('proxy: models that embed do so for whoever has a key', async () => {
  const embed = (headers: Record<string, string>, model = 'Beta') =>
    send(`${gateway.url}/api/embeddings`, { headers, body: { model, input: ['one', 'two'] } });
  const answer = await embed({ authorization: `bearer ${apiKey}` });
  assert.deepEqual([answer.status, (answer.json as { data: unknown[] }).data.length], [200, 2]);
  assert.equal((await embed({})).status, 401);
  assert.equal((await embed({ 'x-api-key': apiKey }, 'Pocket')).status, 200);
  await waitUntil(
    'both are in the books',
    () =>
      gateway.usageRecords().filter(({ door, endpoint }) => door === 'proxy' && endpoint === 'embeddings')
        .length === 2,
  );
});

/** The package adds what it parses itself. */
function onlyStreamed(message: object): object {
  return Object.fromEntries(
    Object.entries(message).filter(([name]) => name === 'parsed_output' || name === 'stop_details'),
  );
}

async function refused(asked: Promise<unknown>): Promise<InstanceType<typeof Anthropic.APIError>> {
  const error = await asked.then(
    () => assert.fail('it was answered'),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof Anthropic.APIError, String(error));
  return error;
}
