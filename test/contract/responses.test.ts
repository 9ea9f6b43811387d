import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import OpenAI from 'openai';
import { startGateway } from '#harness/gateway';
import { framesIn, send } from '#harness/http-client';
import { faultsOfResponseEvents } from '#harness/response-events';
import { mark } from '#harness/service';
import { standardArguments, standardPieces, standardThoughts } from '#harness/simulated-answer';
import { startSimulatedEngine } from '#harness/simulated-engine';

/** Responses for engines that speak chat completions only, as OpenAI's own package uses them. */
const engine = await startSimulatedEngine({
  flavour: 'openai',
  models: ['org/plain', { id: 'org/think', reasoning: 'fields' }],
});
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    engines: [{ name: 'other', kind: 'openai', url: engine.url }],
    models: [
      {
        id: 'Plain',
        path: 'plain',
        engines: [{ engine: 'other', model: 'org/plain' }],
        tools: true,
        context: 16384,
      },
      {
        id: 'Think',
        path: 'think',
        engines: [{ engine: 'other', model: 'org/think', reasoning: 'fields' }],
        reasoning: 'think-tags',
        reasoningEffort: true,
      },
    ],
  },
});
after(async () => {
  await gateway.stop();
  await engine.stop();
});
const { secret: apiKey } = await gateway.createKey();
const text = standardPieces.join('');
const clients = {
  proxy: () => new OpenAI({ baseURL: `${gateway.url}/api/`, apiKey, maxRetries: 0 }),
  direct: (path: string) =>
    new OpenAI({ baseURL: `${gateway.url}/${path}/v1/`, apiKey: 'none', maxRetries: 0 }),
};
const weather: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: true,
};

for (const door of ['proxy', 'direct'] as const) {
  const plain = clients[door]('plain');
  const think = clients[door]('think');

  test(`${door}: whole, streamed and through the stream helper it is the same response`, async () => {
    const request = { model: 'Think', input: 'hello sim:cached=1', instructions: 'Be brief.' };
    const whole = await think.responses.parse(request);
    assert.deepEqual([whole.status, whole.output_text], ['completed', text]);
    assert.deepEqual(
      whole.output.map(({ type }) => type),
      ['reasoning', 'message'],
    );
    const helped = think.responses.stream(request);
    const types: string[] = [];
    const numbers: number[] = [];
    for await (const event of helped) {
      types.push(event.type);
      numbers.push(event.sequence_number);
    }
    const final = await helped.finalResponse();
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index),
    );
    assert.deepEqual(types, [
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      ...standardThoughts.map(() => 'response.reasoning_text.delta'),
      'response.reasoning_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      ...standardPieces.map(() => 'response.output_text.delta'),
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    assert.deepEqual(withoutIds(final.output), withoutIds(whole.output));
    assert.deepEqual(final.usage, whole.usage);
    assert.equal(final.usage?.output_tokens_details.reasoning_tokens, standardThoughts.length);
  });

  test(`${door}: a function is called, and its output answered`, async () => {
    const first = await plain.responses.parse({ model: 'Plain', input: 'Zürich', tools: [weather] });
    const [call] = first.output;
    assert.ok(call?.type === 'function_call');
    assert.deepEqual([call.name, call.arguments], ['weather', standardArguments.join('')]);
    const streamed = await plain.responses
      .stream({ model: 'Plain', input: 'Zürich', tools: [weather] })
      .finalResponse();
    assert.deepEqual(withoutIds(streamed.output), withoutIds(first.output));

    const mine = mark();
    const second = await plain.responses.create({
      model: 'Plain',
      input: [
        { role: 'user', content: `Zürich ${mine} sim:text` },
        ...first.output,
        { type: 'function_call_output', call_id: call.call_id, output: '21 degrees' },
      ] as OpenAI.Responses.ResponseInput,
      tools: [weather],
    });
    assert.equal(second.output_text, text);
    const [sent] = engine.requestsMarked(mine);
    const { messages } = JSON.parse(String(sent?.body)) as { messages: Record<string, unknown>[] };
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
    assert.equal(messages[2]?.tool_call_id, call.call_id);
  });
}

const post = (body: object, options: { stream?: boolean; model?: string } = {}) =>
  send(`${gateway.url}/api/v1/responses`, {
    headers: { authorization: `bearer ${apiKey}` },
    body: { model: 'Plain', input: 'hello', ...options, ...body },
  });

function sentFor(marked: string): Record<string, unknown> & { messages: Record<string, unknown>[] } {
  const [request] = engine.requestsMarked(marked);
  return JSON.parse(String(request?.body));
}

test('what cannot be done is refused by name, and what is ignored is named', async () => {
  const item = (type: string) => ({ input: [{ type, id: 'x' }] });
  const refused: [object, RegExp][] = [
    [{ tools: [{ type: 'web_search' }] }, /web_search/],
    [{ tools: [weather, { type: 'code_interpreter' }] }, /code_interpreter/],
    [{ tools: [weather], tool_choice: { type: 'file_search' } }, /file_search/],
    [{ tools: [weather], tool_choice: { type: 'function', name: 'other' } }, /other/],
    [item('computer_call'), /computer_call/],
    [item('item_reference'), /elsewhere/],
    [{ input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'x' }] }] }, /input_file/],
    [{ conversation: 'conv_1' }, /previous_response_id/],
    [{ prompt: { id: 'pmpt_1' } }, /template/],
    [{ text: { format: { type: 'grammar' } } }, /grammar/],
    [{ reasoning: { effort: 'enormous' } }, /minimal/],
    [{ truncation: 'sometimes' }, /auto/],
    [{ stream: 'yes' }, /true or false/],
  ];
  for (const [body, reason] of refused) {
    const answer = await post(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(answer.text, reason);
  }
  const ignoring = await post({
    text: { verbosity: 'low' },
    prompt_cache_key: 'x',
    reasoning: { effort: 'low' },
    tools: [weather, { type: 'web_search' }],
  });
  assert.equal(ignoring.status, 200, ignoring.text);
  assert.equal(
    ignoring.headers['gatehouse-ignored'],
    'prompt_cache_key, tools.web_search, reasoning.effort, text.verbosity',
  );
});

test('nothing that is refused in a chat gets by in this dialect', async () => {
  const mine = mark();
  const image = (url: string) => ({ role: 'user', content: [{ type: 'input_image', image_url: url }] });
  const many = Array.from({ length: 500 }, (_, index) => ({ ...weather, name: `f${index}` }));
  const bodies: object[] = [
    { input: [image(`http://169.254.169.254/${mine}`)] },
    {
      input: [
        { type: 'function_call_output', call_id: 'x', output: [image('file:///etc/passwd').content[0]] },
      ],
    },
    { tools: many },
    { tools: [{ type: 'namespace', name: 'n', tools: many }] },
    { tools: [{ ...weather, description: 'x'.repeat(300_000) }] },
    { max_output_tokens: 1e12 },
    { temperature: 7 },
    { top_logprobs: 1000 },
    { stop: Array.from({ length: 100 }, () => 'x') },
    { chat_template_kwargs: { chat_template: mine } },
    { cache_salt: mine },
    { kv_transfer_params: {} },
    { text: { format: { type: 'json_schema', schema: { description: 'x'.repeat(300_000) } } } },
  ];
  for (const body of bodies) {
    const answer = await post({ input: mine, ...body });
    assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 100));
  }
  assert.equal(engine.requestsMarked(mine).length, 0);
  const thinking = await post({ input: 'x', tools: [weather] }, { model: 'Think' });
  assert.match(thinking.text, /does not support tool calling/);
});

test('tools of a namespace and tools for plain text come back under their own names', async () => {
  const patch = {
    type: 'custom',
    name: 'patch',
    format: { type: 'grammar', syntax: 'lark', definition: 'x' },
  };
  const inside = { type: 'namespace', name: 'crm', description: 'Customers.', tools: [weather] };
  for (const [tools, type, extra] of [
    [[inside], 'function_call', { name: 'weather', namespace: 'crm' }],
    [[patch], 'custom_tool_call', { name: 'patch' }],
  ] as const) {
    const mine = mark();
    const client = clients.proxy().responses;
    const input = `Zürich ${mine}`;
    const { output } = await client
      .stream({ model: 'Plain', input, tools: tools as unknown as OpenAI.Responses.Tool[] })
      .finalResponse();
    const [call] = output as unknown as Record<string, unknown>[];
    assert.deepEqual({ ...call, ...extra, type }, call);
    const again = mark();
    const made = { type: `${type}_output`, call_id: call?.call_id, output: 'done' };
    await post({ input: [{ role: 'user', content: `${again} sim:text` }, call, made], tools });
    const { messages, tools: sent } = sentFor(again) as unknown as {
      messages: { tool_calls?: { function: { name: string } }[] }[];
      tools: { function: { name: string } }[];
    };
    assert.equal(messages[1]?.tool_calls?.[0]?.function.name, sent[0]?.function.name);
  }
});

test('a conversation that is too long begins later when asked to', async () => {
  const mine = mark();
  const turns = Array.from({ length: 40 }, (_, index) => [
    { role: 'user', content: `question ${index} ${'x'.repeat(3000)}` },
    { role: 'assistant', content: `answer ${index}` },
  ]).flat();
  const input = [{ role: 'developer', content: 'Be kind.' }, ...turns, { role: 'user', content: mine }];
  assert.equal((await post({ input, truncation: 'auto' })).status, 200);
  const { messages } = sentFor(mine);
  assert.deepEqual([messages[0]?.content, messages.at(-1)?.content], ['Be kind.', mine]);
  assert.match(String(messages[1]?.content), /^question [23]\d /);
});

test('whatever an engine does in the midst of it, the stream ends as the dialect says', async () => {
  for (const [words, end] of [
    ['sim:die-after=3', 'failed'],
    ['sim:die-mid-frame=3', 'failed'],
    ['sim:error-event=3', 'failed'],
    ['sim:finish=length', 'incomplete'],
    ['sim:no-usage', 'completed'],
    ['sim:no-done', 'completed'],
    ['sim:one-byte', 'completed'],
    ['sim:crlf sim:no-space sim:split-utf8 sim:comments', 'completed'],
    ['sim:all-at-once', 'completed'],
    ['sim:frames=3000', 'completed'],
  ] as const) {
    const { text: body } = await post({ input: words, stream: true });
    assert.deepEqual(faultsOfResponseEvents(body, true), [], words);
    const last = JSON.parse(framesIn(body).at(-1) ?? '') as { type: string; response: { status: string } };
    assert.deepEqual([last.type, last.response.status], [`response.${end}`, end], words);
  }
  const nonsense = await post({ input: 'sim:nonsense' });
  assert.ok(nonsense.status >= 500 && 'error' in JSON.parse(nonsense.text), nonsense.text);
});

function withoutIds(output: readonly object[]): unknown {
  return output.map((item) => ({ ...item, id: undefined, call_id: undefined }));
}
