import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { createEngines } from '#engines';
import { judgeExchange } from '#harness/answer-judge';
import { startGateway } from '#harness/gateway';
import { heardIn, type HeardChoice } from '#harness/heard-answer';
import { send } from '#harness/http-client';
import { readRecordedEngines, type Recording } from '#harness/recording';
import { startReplayedEngine } from '#harness/replayed-engine';
import { startWitness } from '#harness/witness';
import type { Catalogue, EngineDefinition } from '#vocabulary/catalogue';
import { systemClock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';

/**
 * What real engines said, played back behind the running program: a caller cannot tell them apart. See
 * docs/engines.md for how the recordings were made.
 */
const recorded = readRecordedEngines();
const replayed = await startReplayedEngine();
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    engines: recorded.map(({ name, kind }) => ({ name, kind, url: replayed.url })),
    models: recorded.flatMap(({ name, kind }) => [
      {
        id: `Plain-${kind}`,
        path: `plain-${kind}`,
        engines: [{ engine: name, model: 'pocket' }],
        tools: true,
      },
      {
        id: `Tags-${kind}`,
        path: `tags-${kind}`,
        engines: [{ engine: name, model: 'pocket', reasoning: 'fields' }],
        tools: true,
        reasoning: 'think-tags',
      },
    ]),
  },
});
const witness = await startWitness(gateway.url);
after(async () => {
  await witness.stop();
  await gateway.stop();
  await replayed[Symbol.asyncDispose]();
});
const { secret } = await gateway.createKey();

for (const { name, kind, recordings } of recorded) {
  const find = (wanted: string) => recordings.find((recording) => recording.name === wanted)!;
  const ask = (door: 'proxy' | 'direct', { request }: Recording, body = request.body, model = 'plain') =>
    send(
      door === 'proxy'
        ? `${witness.url}/api/${request.path.replace('/v1/', '')}`
        : `${witness.url}/${model}-${kind}/v1/${request.path.replace(/^\/(?:v1\/)?/, '')}`,
      {
        headers: { authorization: `bearer ${secret}` },
        // The gateway alone names requests to SGLang.
        body: { ...body, rid: null, model: `${model === 'plain' ? 'Plain' : 'Tags'}-${kind}` },
      },
    );
  const answers = recordings.filter(
    ({ name, status, request }) =>
      status === 200 && request.path.endsWith('completions') && !name.startsWith('error'),
  );

  for (const door of ['proxy', 'direct'] as const)
    test(`${name}, ${door} door: what the engine said is what the caller hears, in OpenAI's shape`, async () => {
      for (const recording of answers.filter(
        ({ request }) => door === 'direct' || !/v1\/completions/.test(request.path),
      )) {
        replayed.play(recording, door === 'direct' ? 7 : undefined);
        const answer = await ask(door, recording);
        assert.equal(answer.status, 200, `${recording.name}: ${answer.text}`);
        const said = heardIn(recording.body).choices.map(spoken);
        assert.deepEqual(heardIn(answer.text).choices.map(spoken), said, recording.name);
      }
    });

  if (kind === 'llama-server')
    test(`${name}: an answer in one piece is put together from the stream that is asked for`, async () => {
      for (const recording of answers.filter(({ request }) => 'stream_options' in request.body)) {
        replayed.play(recording, 7);
        const { stream: _, stream_options: __, ...body } = recording.request.body;
        const answer = await ask('direct', recording, body);
        const said = heardIn(recording.body);
        assert.deepEqual(heardIn(answer.text).choices.map(spoken), said.choices.map(spoken), recording.name);
      }
      const two = find('chat-two-choices-stream');
      replayed.play(two);
      const { usage } = heardIn((await ask('proxy', two, { ...two.request.body, stream: false })).text);
      assert.equal(usage?.['completion_tokens'], 10);
    });

  test(`${name}: two choices are counted together, once, at the end`, async () => {
    const two = find('chat-two-choices-stream');
    replayed.play(two);
    const { usage, choices } = heardIn((await ask('proxy', two)).text);
    assert.equal(choices.length, 2);
    assert.equal(usage?.['completion_tokens'], 10);
    replayed.play(two);
    const { stream_options: _, ...withoutUsage } = two.request.body;
    assert.equal(heardIn((await ask('proxy', two, withoutUsage)).text).usage, undefined);
  });

  test(`${name}: thinking goes into tags, whole and streamed`, async () => {
    for (const recording of [find('thinking'), find('thinking-stream')]) {
      replayed.play(recording, 5);
      const { content } = heardIn((await ask('direct', recording, recording.request.body, 'tags')).text)
        .choices[0]!;
      assert.match(content, /^<think>[^<]+<\/think>[^<]*42[^<]*$/);
    }
  });

  test(`${name}: Anthropic's package hears the same, whole and streamed, in pieces of any size`, async () => {
    const client = new Anthropic({ baseURL: `${gateway.url}/api`, apiKey: secret, maxRetries: 0 });
    const question = {
      model: `Tags-${kind}`,
      max_tokens: 100,
      messages: [{ role: 'user' as const, content: 'Hello' }],
      thinking: { type: 'adaptive' as const },
    };
    const known = /^(?:chat|chat-stop|thinking|tools|tools-required|tools-named)(?:-stream)?$/;
    for (const recording of recordings.filter((one) => known.test(one.name))) {
      const isStream = recording.request.body['stream'] === true;
      // llama-server is asked for a stream in any case.
      if (kind === 'llama-server' && !isStream) continue;
      for (const pieceBytes of [1, 7, undefined]) {
        replayed.play(recording, pieceBytes);
        const message = isStream
          ? await client.messages.stream(question).finalMessage()
          : await client.messages.create(question);
        const { choices, usage } = heardIn(recording.body);
        const said = choices[0]!;
        const blocks = message.content.map((block) => {
          switch (block.type) {
            case 'thinking':
              return block.thinking;
            case 'tool_use':
              return { name: block.name, input: block.input };
            default:
              return block.type === 'text' ? block.text : assert.fail(block.type);
          }
        });
        const calls = said.calls.map((call) => ({
          name: call.name,
          input: JSON.parse(call.arguments) as unknown,
        }));
        assert.deepEqual(
          blocks,
          [said.reasoning || said.reasoningContent, said.content, ...calls].filter((block) => block !== ''),
          recording.name,
        );
        assert.equal(message.stop_reason === 'tool_use', calls.length > 0, recording.name);
        assert.equal(message.usage.output_tokens, usage?.['completion_tokens'] ?? 0, recording.name);
      }
    }
  });

  test(`${name}: log probabilities of text stand where the text stands`, async () => {
    const recording = find('text-logprobs');
    replayed.play(recording);
    const { choices } = (await ask('direct', recording)).json as unknown as TextAnswer;
    const { tokens, text_offset: offsets } = choices[0]!.logprobs;
    assert.equal(tokens.join(''), choices[0]!.text);
    assert.deepEqual(
      offsets.map((offset, index) => choices[0]!.text.slice(offset, offset + tokens[index]!.length)),
      tokens,
    );
  });

  test(`${name}: a refusal keeps its meaning and loses the insides of the engine`, async () => {
    for (const recording of recordings.filter(
      ({ status, request }) => status >= 400 && request.method === 'POST',
    )) {
      replayed.play(recording);
      // What the doors would refuse themselves is asked for with another body.
      const isChat = recording.request.path === '/v1/chat/completions';
      const body = isChat ? find('chat').request.body : recording.request.body;
      const answer = await ask('direct', recording, body);
      assert.ok(answer.status >= 400 && answer.status < 502, `${recording.name}: ${answer.text}`);
      assert.doesNotMatch(answer.text, /\.(?:py|cc|cpp|rs)\b|Traceback|site-packages/, recording.name);
      const { code } = answer.error;
      if (/too-long|too-many/.test(recording.name))
        assert.equal(code, 'context_length_exceeded', recording.name);
      if (recording.name === 'embeddings') assert.equal(code, 'not_supported_by_engine');
    }
  });

  test(`${name}: its load and its context are read`, async () => {
    const definition: EngineDefinition = {
      name,
      kind,
      url: replayed.url,
      socketPath: undefined,
      credential: undefined,
      maxConcurrent: 1,
      embedded: undefined,
    };
    const catalogue: Catalogue = {
      models: [],
      engines: [definition],
      directNetworks: [],
      trustedProxies: [],
    };
    const learnt: number[] = [];
    const engines = createEngines({
      catalogue,
      whenReady: () => Promise.resolve(),
      isIdle: () => false,
      silenceMs: 60_000,
      onSilence: () => {},
      onOwnUsage: () => {},
      onContextLength: (_engine, _model, tokens) => learnt.push(tokens),
      clock: systemClock,
      logger: console as unknown as Logger,
    });
    replayed.play(find(kind === 'sglang' ? 'get-load' : 'get-metrics'));
    assert.deepEqual(await engines.readLoad(definition), {
      inHand: 0,
      queued: 0,
      cacheUse: kind === 'sglang' ? 0 : undefined,
    });
    replayed.play(find('get-models'));
    replayed.play(find('text'));
    const replica = { engineName: name, upstreamModel: 'pocket', upstreamReasoning: 'none' } as const;
    assert.equal(await engines.probe(definition, replica), undefined);
    assert.equal(learnt.length, 1);
    await engines.close();
  });
}

test("every answer on the wire had OpenAI's shape", () => {
  const ofOpenai = witness.exchanges().filter(({ request }) => /completions /.test(request.startLine));
  assert.ok(ofOpenai.length > 20 * recorded.length);
  assert.deepEqual(
    ofOpenai.map(judgeExchange).filter(({ faults }) => faults.length > 0),
    [],
  );
});

function spoken({ content, calls, finish }: HeardChoice): object {
  return { content, calls, finish };
}

interface TextAnswer {
  readonly choices: readonly {
    readonly text: string;
    readonly logprobs: { readonly tokens: readonly string[]; readonly text_offset: readonly number[] };
  }[];
}
