import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import OpenAI from 'openai';
import { openStream, send } from './http-client.ts';
import { standardArguments, standardPieces, standardThoughts } from './simulated-answer.ts';
import { startSimulatedEngine } from './simulated-engine.ts';
import type { EngineFlavour } from './simulated-flavours.ts';
import { waitUntil } from './wait-until.ts';

const flavours: readonly EngineFlavour[] = ['vllm', 'vllm-0.10', 'sglang', 'llama-server', 'openai'];
const text = standardPieces.join('');
const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  },
];
const ask = (content: string): OpenAI.ChatCompletionMessageParam[] => [{ role: 'user', content }];

for (const flavour of flavours) {
  test(`the official client understands the simulated ${flavour}`, async () => {
    await using engine = await startSimulatedEngine({ flavour });
    const client = new OpenAI({ baseURL: `${engine.url}/v1`, apiKey: 'any', maxRetries: 0 });
    const base = { model: 'model-a' };

    const plain = await client.chat.completions.create({ ...base, messages: ask('hello') });
    assert.equal(plain.choices[0]?.message.content, text);
    assert.equal(plain.usage?.completion_tokens, standardPieces.length);

    const streamed = client.chat.completions.stream({
      ...base,
      messages: ask('hello sim:one-byte sim:crlf'),
      stream_options: { include_usage: true },
    });
    const final = await streamed.finalChatCompletion();
    assert.equal(final.choices[0]?.message.content, text);
    assert.equal(final.usage?.completion_tokens, standardPieces.length);

    const called = await client.chat.completions
      .stream({ ...base, messages: ask('weather'), tools })
      .finalChatCompletion();
    const call = called.choices[0]?.message.tool_calls?.[0];
    assert.equal(call?.type === 'function' ? call.function.arguments : undefined, standardArguments.join(''));
    assert.equal(called.choices[0]?.finish_reason, 'tool_calls');

    const completion = await client.completions.create({ ...base, prompt: 'once upon' });
    assert.equal(completion.choices[0]?.text, text);
    assert.equal((await client.models.list()).data[0]?.id, 'model-a');
    assert.equal((await client.embeddings.create({ ...base, input: ['a', 'b'] })).data.length, 2);
    const failing = client.chat.completions.create({ ...base, messages: ask('sim:status=500') });
    await assert.rejects(failing, (error) => error instanceof OpenAI.APIError && error.status === 500);
  });
}

test('thinking comes in the field of the engine, or inside the text', async () => {
  const field = { vllm: 'reasoning', 'vllm-0.10': 'reasoning_content', sglang: 'reasoning_content' } as const;
  for (const flavour of ['vllm', 'vllm-0.10', 'sglang'] as const) {
    await using engine = await startSimulatedEngine({
      flavour,
      models: [
        { id: 'm', reasoning: 'fields' },
        { id: 'inline', reasoning: 'inline' },
      ],
    });
    const answer = async (model: string) => {
      const body = { model, messages: ask('x') };
      const { json } = await send(`${engine.url}/v1/chat/completions`, { body });
      return (json as unknown as OpenAI.ChatCompletion).choices[0]!.message as unknown as Record<
        string,
        unknown
      >;
    };
    assert.equal((await answer('m'))[field[flavour]], standardThoughts.join(''));
    // vLLM and SGLang without a reasoning parser leave the tags where the model wrote them.
    assert.equal((await answer('inline'))['content'], `<think>${standardThoughts.join('')}</think>${text}`);
  }
});

test('engines refuse what the real ones refuse, each in its own shape', async () => {
  await using vllm = await startSimulatedEngine({ flavour: 'vllm' });
  await using sglang = await startSimulatedEngine({ flavour: 'sglang' });
  const post = (url: string, body: object) => send(`${url}/v1/chat/completions`, { body });
  const valid = { model: 'model-a', messages: ask('x') };
  assert.equal((await post(vllm.url, { ...valid, tools: [] })).status, 400);
  assert.equal((await post(vllm.url, { ...valid, stream_options: { include_usage: true } })).status, 400);
  const unknown = await post(vllm.url, { ...valid, model: 'nobody' });
  assert.deepEqual([unknown.status, unknown.error.code], [404, 404]);
  const echoed = await post(sglang.url, { ...valid, model: 'nobody', rid: 'rid-1' });
  assert.deepEqual([echoed.status, echoed.json['model'], echoed.json['id']], [200, 'nobody', 'rid-1']);
  const nulled = await post(sglang.url, { ...valid, n: null });
  assert.deepEqual([nulled.status, nulled.json['object']], [400, 'error']);
});

test('a closed stream ends the generation on vLLM, while SGLang needs to be told', async () => {
  for (const flavour of ['vllm', 'sglang'] as const) {
    await using engine = await startSimulatedEngine({ flavour });
    const body = {
      model: 'model-a',
      rid: 'r-1',
      stream: true,
      messages: ask('sim:frames=100000 sim:every=5'),
    };
    const stream = await openStream(`${engine.url}/v1/chat/completions`, { body });
    await stream.untilFrames(3);
    stream.leave();
    await waitUntil('the engine saw it', () => engine.events.some((event) => event.kind === 'socket-closed'));
    if (flavour === 'sglang') {
      assert.equal(engine.activeGenerations, 1);
      await send(`${engine.url}/abort_request`, { body: { rid: 'r-' } });
    }
    await waitUntil('nothing runs', () => engine.activeGenerations === 0);
    assert.equal(engine.generations[0]?.state, 'aborted');
  }
});

test('it fails on command', async () => {
  await using engine = await startSimulatedEngine({ flavour: 'vllm' });
  const stream = (words: string) =>
    openStream(`${engine.url}/v1/chat/completions`, {
      body: { model: 'model-a', stream: true, messages: ask(words) },
    });
  await assert.rejects(stream('sim:reset'), { code: 'ECONNRESET' });
  const cut = await stream('sim:die-mid-frame');
  assert.equal(await cut.ended, 'broken');
  assert.equal(cut.frames().length, 2);
  const endless = await stream('sim:no-done');
  assert.equal(await endless.ended, 'complete');
  assert.ok(!endless.frames().includes('[DONE]'));
  await engine.refuseConnections();
  await assert.rejects(stream('x'), { code: 'ECONNREFUSED' });
  await engine.acceptAgain();
  assert.equal((await stream('x')).status, 200);
});

test('it listens on a unix socket too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sim-'));
  const socketPath = join(folder, 'engine.sock');
  await using _engine = await startSimulatedEngine({ flavour: 'llama-server', socketPath });
  const status = await new Promise((resolve) =>
    request({ socketPath, path: '/health', agent: false }, (response) =>
      resolve(response.resume().statusCode),
    ).end(),
  );
  assert.equal(status, 200);
  await rm(folder, { recursive: true });
});
