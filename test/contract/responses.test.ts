import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import OpenAI from 'openai';
import { startGateway } from '#harness/gateway';
import { send } from '#harness/http-client';
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
      { id: 'Plain', path: 'plain', engines: [{ engine: 'other', model: 'org/plain' }], tools: true },
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

test('what cannot be done is refused by name, and what is ignored is named', async () => {
  const post = (body: object, headers = {}) =>
    send(`${gateway.url}/api/v1/responses`, {
      headers: { authorization: `bearer ${apiKey}`, ...headers },
      body: { model: 'Plain', input: 'hello', ...body },
    });
  const hosted = await post({ tools: [{ type: 'web_search' }] });
  assert.equal(hosted.status, 400);
  assert.match(hosted.text, /web_search/);
  const ignoring = await post({
    text: { verbosity: 'low' },
    prompt_cache_key: 'x',
    reasoning: { effort: 'low' },
  });
  assert.equal(ignoring.status, 200, ignoring.text);
  assert.equal(ignoring.headers['gatehouse-ignored'], 'prompt_cache_key, reasoning.effort, text.verbosity');
});

function withoutIds(output: readonly object[]): unknown {
  return output.map((item) => ({ ...item, id: undefined, call_id: undefined }));
}
