import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import OpenAI from 'openai';
import { ask, mark, startService } from '#harness/service';
import { standardArguments, standardPieces } from '#harness/simulated-answer';
import { waitUntil } from '#harness/wait-until';

/** The official client, used as people use it, on both doors. */
const service = await startService({
  settings: { limits: { waitingLine: { maxWaiting: 1, maxWait: '10s' } } },
});
after(() => service[Symbol.asyncDispose]());
const { engineA } = service;
const text = standardPieces.join('');
const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  },
];
const clients = {
  proxy: new OpenAI({ baseURL: `${service.proxy}/`, apiKey: service.key, maxRetries: 0 }),
  direct: new OpenAI({ baseURL: service.direct('beta-4-scout'), apiKey: 'EMPTY', maxRetries: 0 }),
};
const model = 'beta-4-scout';

for (const [door, client] of Object.entries(clients)) {
  test(`${door}: answers, whole and streamed`, async () => {
    const {
      data,
      response,
      request_id: requestId,
    } = await client.chat.completions.create({ model, messages: ask('hello') }).withResponse();
    assert.equal(data.choices[0]?.message.content, text);
    assert.ok(requestId);
    assert.equal(requestId, response.headers.get('x-request-id'));
    const stream = await client.chat.completions.create({
      model,
      messages: ask('hello sim:one-byte'),
      stream: true,
      stream_options: { include_usage: true },
    });
    let content = '';
    let usage: OpenAI.CompletionUsage | undefined | null;
    for await (const chunk of stream) {
      content += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage;
    }
    assert.equal(content, text);
    assert.equal(usage?.completion_tokens, standardPieces.length);
  });

  test(`${door}: a tool call, its result and the answer`, async () => {
    const first = await client.chat.completions
      .stream({ model, messages: ask('weather in Zürich?'), tools, tool_choice: 'auto' })
      .finalChatCompletion();
    const { message } = first.choices[0]!;
    const call = message.tool_calls![0]!;
    assert.equal(call.type === 'function' ? call.function.name : '', 'weather');
    assert.deepEqual(
      JSON.parse(call.type === 'function' ? call.function.arguments : ''),
      JSON.parse(standardArguments.join('')),
    );
    const second = await client.chat.completions.create({
      model,
      messages: [
        ...ask('weather in Zürich? sim:text'),
        message,
        { role: 'tool', tool_call_id: call.id, content: '12 °C' },
      ],
      tools,
    });
    assert.equal(second.choices[0]?.message.content, text);
  });

  test(`${door}: errors are the client's own classes with their sentence`, async () => {
    const failing = (words: string, extra: object = {}) =>
      client.chat.completions.create({ model, messages: ask(words), ...extra }).then(
        () => assert.fail('it should have failed'),
        (error: unknown) => error as InstanceType<typeof OpenAI.APIError>,
      );
    const invalid = await failing('x', { temperature: 9 });
    assert.ok(invalid instanceof OpenAI.BadRequestError);
    assert.deepEqual([invalid.code, invalid.param], ['invalid_parameter', 'temperature']);
    const unknown = await failing('x', { model: 'nobody' });
    assert.ok(unknown instanceof OpenAI.NotFoundError);
    assert.equal(unknown.code, 'model_not_found');
    const broken = await failing('sim:status=500');
    assert.ok(broken instanceof OpenAI.InternalServerError);
    assert.ok(broken.requestID);
    const refused = await failing('sim:status=400 sim:shape=flat');
    assert.ok(refused instanceof OpenAI.BadRequestError);
    assert.doesNotMatch(refused.message, /no body/);
    const cut = client.chat.completions
      .stream({ model, messages: ask('sim:die-mid-frame') })
      .finalChatCompletion();
    await assert.rejects(cut, (error) => error instanceof OpenAI.APIError && /engine/i.test(error.message));
  });

  test(`${door}: aborting reaches the engine`, async () => {
    const mine = mark();
    const stream = await client.chat.completions.create({
      model,
      messages: ask(`${mine} sim:frames=9000 sim:every=5`),
      stream: true,
    });
    let seen = 0;
    for await (const _chunk of stream) if (++seen === 3) break;
    const generation = await waitUntil('the engine knows it', () => engineA.marked(mine)[0]);
    await waitUntil('it is aborted', () => generation.state === 'aborted');
  });
}

test('proxy: a wrong key, and the list of models', async () => {
  const stranger = new OpenAI({ baseURL: service.proxy, apiKey: 'gh_wrong', maxRetries: 0 });
  await assert.rejects(
    stranger.models.list(),
    (error) => error instanceof OpenAI.AuthenticationError && error.code === 'invalid_api_key',
  );
  const ids: string[] = [];
  for await (const served of clients.proxy.models.list()) ids.push(served.id);
  assert.deepEqual(ids.sort(), ['alpha-R1', 'beta-4-scout', 'gamma-oss-120b']);
});

test('direct: text completions, embeddings, one model, responses', async () => {
  const client = clients.direct;
  assert.equal((await client.completions.create({ model, prompt: 'once' })).choices[0]?.text, text);
  let streamed = '';
  for await (const chunk of await client.completions.create({ model, prompt: 'once', stream: true }))
    streamed += chunk.choices[0]?.text ?? '';
  assert.equal(streamed, text);
  assert.equal((await client.embeddings.create({ model, input: 'word' })).data[0]?.embedding.length, 256);
  assert.equal((await client.models.retrieve(model)).id, model);
  assert.equal((await client.responses.create({ model, input: 'hello' })).output_text, text);
  const events: string[] = [];
  for await (const event of await client.responses.create({ model, input: 'hello', stream: true }))
    events.push(event.type);
  assert.equal(events.at(-1), 'response.completed');
});

test('a reset before the answer is retried by the client and by us without the caller noticing', async () => {
  const patient = new OpenAI({ baseURL: service.proxy, apiKey: service.key, maxRetries: 2 });
  await patient.chat.completions.create({ model, messages: ask('warm') });
  engineA.control.closeRaces = 1;
  const answer = await clients.proxy.chat.completions.create({ model, messages: ask('hello') });
  assert.equal(answer.choices[0]?.message.content, text);
});
