import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import OpenAI from 'openai';
import { startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { ask } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import type { EngineFlavour } from '#harness/simulated-flavours';
import { startWitness } from '#harness/witness';
import { testEveryAnswer } from './stage.ts';

/** Engines each speak their own dialect; what comes out of either door has one shape, also when they fail. */
const kinds = {
  vllm: 'vllm',
  sglang: 'sglang',
  'llama-server': 'llama-server',
} as const satisfies Partial<Record<EngineFlavour, string>>;
const flavours = Object.keys(kinds) as (keyof typeof kinds)[];

const engines = await Promise.all(
  flavours.map((flavour) =>
    startSimulatedEngine({
      flavour,
      models: ['org/plain', `same-${flavour}`, { id: 'org/think', reasoning: 'fields' }],
    }),
  ),
);
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    engines: engines.map(({ flavour, url }) => ({
      name: flavour,
      kind: kinds[flavour as keyof typeof kinds],
      url,
    })),
    models: flavours.flatMap((flavour) => [
      { id: `plain-${flavour}`, engines: [{ engine: flavour, model: 'org/plain' }], tools: true },
      // Known to the engine by the same name, so that its bytes need no change on that account.
      { id: `same-${flavour}`, engines: [flavour], tools: true },
      {
        id: `think-${flavour}`,
        engines: [{ engine: flavour, model: 'org/think', reasoning: 'fields' }],
        reasoning: 'separate',
      },
    ]),
  },
});
const witness = await startWitness(gateway.url);
after(async () => {
  await witness.stop();
  await gateway.stop();
  await Promise.all(engines.map((engine) => engine.stop()));
});
const { secret } = await gateway.createKey();
const tools = [
  { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } },
];

for (const flavour of flavours) {
  for (const door of ['proxy', 'direct'] as const) {
    const base = (model: string) => (door === 'proxy' ? `${witness.url}/api` : `${witness.url}/${model}/v1`);
    const headers = { authorization: `bearer ${secret}` };
    const call = (model: string, body: object, path = 'chat/completions') =>
      send(`${base(model)}/${path}`, { headers, body: { model, ...body } });
    const plain = `plain-${flavour}`;
    const same = `same-${flavour}`;
    const think = `think-${flavour}`;

    test(`${flavour}, ${door}: answers, calls, thinking and lists`, async () => {
      for (const stream of [false, true]) {
        for (const [model, extra] of [
          ...[plain, same].flatMap((model) => [
            [model, { messages: ask('hello') }] as const,
            [model, { messages: ask('hello'), stream_options: { include_usage: stream } }] as const,
            [model, { messages: ask('hello'), logprobs: true, top_logprobs: 1 }] as const,
            [model, { messages: ask('weather?'), tools }] as const,
          ]),
          [think, { messages: ask('hello') }] as const,
        ]) {
          const answer = await call(model, { ...extra, stream });
          assert.equal(answer.status, 200, answer.text);
        }
        for (const model of door === 'direct' ? [plain, same] : [])
          assert.equal((await call(model, { prompt: 'once', stream }, 'completions')).status, 200);
      }
      assert.equal((await send(`${base(plain)}/models`, { headers })).status, 200);
    });

    test(`${flavour}, ${door}: what an engine refuses, how it fails and how it breaks off`, async () => {
      assert.equal((await call(plain, { messages: ask('sim:status=400 sim:shape=flat') })).status, 400);
      assert.ok((await call(plain, { messages: ask('sim:status=500') })).status >= 500);
      const broken = await openStream(`${base(plain)}/chat/completions`, {
        headers,
        body: { model: plain, messages: ask('sim:die-mid-frame'), stream: true },
      });
      await broken.ended;
      const stranger = await call('nobody', { messages: ask('hello') });
      assert.equal(stranger.status, 404);
    });

    test(`${flavour}, ${door}: the official client puts a streamed call together`, async () => {
      const client = new OpenAI({ baseURL: base(plain), apiKey: secret, maxRetries: 0 });
      const { choices } = await client.chat.completions
        .stream({ model: plain, messages: ask('weather?'), tools: tools as OpenAI.ChatCompletionTool[] })
        .finalChatCompletion();
      assert.equal(choices[0]!.finish_reason, 'tool_calls');
      assert.equal(choices[0]!.message.tool_calls!.length, 1);
    });
  }
}

testEveryAnswer({ witness });
