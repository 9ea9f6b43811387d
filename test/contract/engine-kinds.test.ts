import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { begin, openStream, send } from '#harness/http-client';
import type { Chunk } from '#harness/http-client';
import { ask, mark } from '#harness/service';
import { standardArguments, standardPieces, standardThoughts } from '#harness/simulated-answer';
import { startSimulatedEngine } from '#harness/simulated-engine';
import type { EngineFlavour } from '#harness/simulated-flavours';
import { waitUntil } from '#harness/wait-until';
import { Visitor } from '../console/visitor.ts';

/** One list of cases for every kind of engine, on both doors: a caller cannot tell the engines apart. */
const kinds = {
  vllm: 'vllm',
  'vllm-0.10': 'vllm',
  sglang: 'sglang',
  'llama-server': 'llama-server',
  openai: 'openai',
} as const satisfies Record<EngineFlavour, string>;
const flavours = Object.keys(kinds) as EngineFlavour[];
const text = standardPieces.join('');
const thoughts = standardThoughts.join('');
const tools = [
  { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } },
];

const engines = await Promise.all(
  flavours.map((flavour) =>
    startSimulatedEngine({
      flavour,
      models: [
        'org/plain',
        { id: 'org/think', reasoning: 'fields' },
        { id: 'org/inline', reasoning: 'inline' },
        `Same-${flavour}`,
      ],
      credential: 'engine-secret',
    }),
  ),
);
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    engines: engines.map((engine) => ({
      name: engine.flavour,
      kind: kinds[engine.flavour],
      url: `${engine.url}/v1/`,
      credential: 'engine-secret',
    })),
    models: engines.flatMap(({ flavour }) => [
      {
        id: `Plain-${flavour}`,
        path: `plain-${flavour}`,
        engines: [{ engine: flavour, model: 'org/plain' }],
        tools: true,
      },
      {
        id: `Think-${flavour}`,
        path: `think-${flavour}`,
        engines: [{ engine: flavour, model: 'org/think', reasoning: 'fields' }],
        reasoning: 'separate',
      },
      {
        id: `Inline-${flavour}`,
        path: `inline-${flavour}`,
        engines: [{ engine: flavour, model: 'org/inline', reasoning: 'inline' }],
        reasoning: 'think-tags',
      },
      // Called by the same name on both sides, so that most of its bytes pass untouched.
      { id: `Same-${flavour}`, path: `same-${flavour}`, engines: [flavour] },
    ]),
  },
});
after(async () => {
  await gateway.stop();
  await Promise.all(engines.map((engine) => engine.stop()));
});
const authorization = `bearer ${(await gateway.createKey()).secret}`;

test('a chat is counted by its engine as far as engines of its kind can', async () => {
  const operator = new Visitor(gateway.url);
  const token = await waitUntil(
    'the first start prints a link',
    () => /#link=(\S+)/.exec(gateway.logs())?.[1],
  );
  await operator.ok('POST /console/sign-in/link', { body: { token } });
  const context = async (flavour: EngineFlavour) => {
    const words = { content: 'three little words', systemPrompt: 'Be brief.', documents: [] };
    const body = { chatId: null, parentId: null, model: `Plain-${flavour}`, ...words };
    return (await operator.ok('POST /console/context', { body })).parts;
  };
  const counted = (flavour: EngineFlavour) =>
    waitUntil(`${flavour} has counted in time`, async () => {
      const parts = await context(flavour);
      return parts.isEstimated ? undefined : [parts.instructions, parts.conversation];
    });
  // The template of this one writes two words around a message, and one where the answer begins.
  assert.deepEqual(await counted('llama-server'), [2 + 2 + 1, 3 + 2]);
  // This one writes none, and of the next only texts can be counted: what stands around them is estimated.
  assert.deepEqual(await counted('vllm'), [1, 3]);
  const bySglang = await waitUntil('sglang has counted in time', async () => {
    const parts = await context('sglang');
    return parts.conversation === 3 + 6 ? parts : undefined;
  });
  assert.equal(bySglang.isEstimated, true);
  assert.equal((await context('openai')).isEstimated, true);
});

for (const engine of engines) {
  for (const door of ['proxy', 'direct'] as const) {
    const { flavour } = engine;
    const call = (name: string, body: object) => ({
      url:
        door === 'proxy'
          ? `${gateway.url}/api/chat/completions`
          : `${gateway.url}/${name.toLowerCase()}/v1/chat/completions`,
      sent: {
        headers: { authorization: door === 'proxy' ? authorization : 'Bearer anything' },
        body: { model: name, ...body },
      },
    });
    const post = (name: string, body: object) => send(call(name, body).url, call(name, body).sent);
    const stream = (name: string, body: object) =>
      openStream(call(name, body).url, {
        ...call(name, body).sent,
        body: { model: name, stream: true, ...body },
      });
    /** Failures in a row put an engine aside until it has shown that it is well. */
    const untilWell = () =>
      waitUntil(
        'the engine is in service',
        async () => (await post(plain, { messages: ask('hello') })).status === 200,
      );
    const plain = `Plain-${flavour}`;
    const think = `Think-${flavour}`;
    const inline = `Inline-${flavour}`;
    const same = `Same-${flavour}`;
    const case_ = (name: string, run: () => Promise<void>) => test(`${flavour}, ${door} door: ${name}`, run);

    case_('a plain answer', async () => {
      const answer = await post(plain, { messages: ask('hello there') });
      assert.equal(answer.status, 200, answer.text);
      const { id, object, model, choices, usage } = answer.json as unknown as Completion;
      assert.match(id, /^chatcmpl-/);
      assert.deepEqual([object, model], ['chat.completion', plain]);
      assert.equal(choices[0]?.message.content, text);
      assert.equal(choices[0]?.finish_reason, 'stop');
      assert.equal(usage.completion_tokens, standardPieces.length);
      assert.equal(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens);
    });

    case_('a stream, without usage unless asked for', async () => {
      const answer = await stream(plain, { messages: ask('hello') });
      assert.equal(await answer.ended, 'complete');
      assert.match(answer.headers['content-type'] ?? '', /^text\/event-stream/);
      assert.equal(answer.headers['x-accel-buffering'], 'no');
      assert.match(String(answer.headers['cache-control']), /no-cache/);
      assert.equal(answer.frames().at(-1), '[DONE]');
      const chunks = answer.chunks();
      assert.equal(contentOf(chunks), text);
      assert.deepEqual(new Set(chunks.map((chunk) => chunk.model)), new Set([plain]));
      assert.equal(new Set(chunks.map((chunk) => chunk.id)).size, 1);
      assert.match(chunks[0]?.id ?? '', /^chatcmpl-/);
      assert.equal(chunks[0]?.choices[0]?.delta['role'], 'assistant');
      assert.deepEqual(finishReasons(chunks), ['stop']);
      assert.ok(chunks.every((chunk) => chunk.choices.length === 1 && (chunk.usage ?? null) === null));
    });

    case_('a stream with the usage that was asked for, once, at the end', async () => {
      const answer = await stream(plain, {
        messages: ask('hello sim:split-usage'),
        stream_options: { include_usage: true },
      });
      await answer.ended;
      const withUsage = answer.chunks().filter((chunk) => (chunk.usage ?? null) !== null);
      assert.equal(withUsage.length, 1);
      assert.deepEqual(answer.chunks().at(-1)?.choices, []);
      assert.equal(answer.chunks().at(-1)?.usage?.['completion_tokens'], standardPieces.length);
    });

    case_('tool calls, whole and in pieces', async () => {
      const answer = await post(plain, { messages: ask('weather'), tools, tool_choice: 'auto' });
      const [call1] = (answer.json as unknown as Completion).choices[0]!.message.tool_calls!;
      assert.equal(call1!.function.arguments, standardArguments.join(''));
      assert.equal((answer.json as unknown as Completion).choices[0]!.finish_reason, 'tool_calls');
      const pieces = await stream(plain, { messages: ask('weather'), tools });
      await pieces.ended;
      const deltas = pieces
        .chunks()
        .flatMap((chunk) => (chunk.choices[0]?.delta['tool_calls'] ?? []) as ToolDelta[]);
      assert.deepEqual(deltas.map((delta) => delta.id).filter(Boolean).length, 1);
      assert.deepEqual(deltas.map((delta) => delta.function.name).filter(Boolean), ['weather']);
      assert.equal(deltas.map((delta) => delta.function.arguments).join(''), standardArguments.join(''));
      assert.deepEqual(finishReasons(pieces.chunks()), ['tool_calls']);
    });

    if (flavour !== 'openai') {
      case_('thinking in both fields beside a clean answer', async () => {
        const { message } = ((await post(think, { messages: ask('x') })).json as unknown as Completion)
          .choices[0]!;
        assert.deepEqual(
          [message.reasoning, message.reasoning_content, message.content],
          [thoughts, thoughts, text],
        );
        const answer = await stream(think, { messages: ask('x') });
        await answer.ended;
        assert.equal(contentOf(answer.chunks(), 'reasoning'), thoughts);
        assert.equal(contentOf(answer.chunks(), 'reasoning_content'), thoughts);
        assert.equal(contentOf(answer.chunks()), text);
      });

      case_('thinking in tags when the caller wants it so', async () => {
        const wanted = new RegExp(`^<think>\\s*${thoughts}\\s*</think>\\s*${text}$`);
        const { message } = (
          (await post(think, { messages: ask('x'), separate_reasoning: false })).json as unknown as Completion
        ).choices[0]!;
        assert.match(message.content ?? '', wanted);
        const answer = await stream(think, { messages: ask('x'), separate_reasoning: false });
        await answer.ended;
        assert.match(contentOf(answer.chunks()), wanted);
        assert.equal(contentOf(answer.chunks(), 'reasoning_content'), '');
      });
    }

    case_('an engine that writes its own tags', async () => {
      const answer = await stream(inline, { messages: ask('x') });
      await answer.ended;
      assert.equal(contentOf(answer.chunks()), `<think>${thoughts}</think>${text}`);
      const separate = await stream(inline, { messages: ask('x sim:one-byte'), separate_reasoning: true });
      await separate.ended;
      assert.equal(contentOf(separate.chunks(), 'reasoning'), thoughts);
      assert.equal(contentOf(separate.chunks()), text);
    });

    case_('what engines stumble over is taken out on the way', async () => {
      const nulls = {
        stop: null,
        tools: null,
        tool_choice: null,
        max_tokens: null,
        n: null,
        stream: null,
        logprobs: null,
        frequency_penalty: null,
      };
      for (const extra of [
        nulls,
        { tools: [] },
        { tool_choice: 'auto' },
        { stream_options: { include_usage: true } },
      ]) {
        const answer = await post(plain, { messages: ask('hello'), ...extra });
        assert.equal(answer.status, 200, `${JSON.stringify(extra)}: ${answer.text}`);
      }
    });

    case_('refusals of the engine keep their meaning and lose their insides', async () => {
      const invalid = await post(plain, { messages: ask('sim:status=400') });
      assert.equal(invalid.status, 400);
      assert.equal(typeof invalid.error.code, 'string');
      assert.doesNotMatch(invalid.text, /worker\.py|\/opt/);
      const long = await post(plain, { messages: ask('word '.repeat(9000)) });
      assert.deepEqual([long.status, long.error.code], [400, 'context_length_exceeded']);
      const broken = await post(plain, { messages: ask('sim:status=500') });
      assert.deepEqual([broken.status, broken.error.code], [502, 'engine_failed']);
      assert.doesNotMatch(broken.text, /worker\.py|\/opt/);
      await untilWell();
    });

    case_('an ending that clients do not know is told as one they know', async () => {
      for (const name of [plain, think, same]) {
        const whole = await post(name, { messages: ask('sim:finish=repetition') });
        assert.equal((whole.json as unknown as Completion).choices[0]?.finish_reason, 'stop', whole.text);
        const streamed = await stream(name, { messages: ask('sim:finish=repetition') });
        assert.equal(await streamed.ended, 'complete');
        const reasons = streamed.chunks().flatMap(({ choices }) => choices[0]?.finish_reason ?? []);
        assert.deepEqual(reasons, ['stop']);
      }
    });

    case_('an answer that the engine gave up is a failure, never a short answer', async () => {
      for (const name of [plain, think, same]) {
        const whole = await post(name, { messages: ask('sim:finish=abort') });
        assert.equal(whole.status, 502, whole.text);
        await untilWell();
        const streamed = await stream(name, { messages: ask('sim:finish=abort') });
        assert.equal(await streamed.ended, 'complete');
        assert.equal(streamed.chunks().at(-1)?.error?.code, 'engine_failed', streamed.raw().toString());
        assert.equal(streamed.frames().at(-1), '[DONE]');
        assert.doesNotMatch(streamed.raw().toString(), /"abort"/);
        await untilWell();
      }
    });

    case_('an engine that breaks inside a stream ends it with an error event', async () => {
      for (const words of [
        'sim:die-mid-frame',
        'sim:die-after',
        'sim:end-mid-frame',
        'sim:error-event',
        'sim:die-after=0',
      ]) {
        const answer = await stream(plain, { messages: ask(words) });
        assert.equal(await answer.ended, 'complete', words);
        const chunks =
          answer.status === 200 ? answer.chunks() : [JSON.parse(answer.raw().toString()) as Chunk];
        const { error } = chunks.at(-1)!;
        assert.equal(typeof error?.code, 'string', `${words}: ${answer.raw().toString()}`);
        assert.doesNotMatch(answer.raw().toString(), /worker\.py|\/opt/);
        await untilWell();
      }
    });

    case_('leaving stops the generation on the engine', async () => {
      const mine = mark();
      const answer = await stream(plain, { messages: ask(`${mine} sim:frames=100000 sim:every=5`) });
      await answer.untilFrames(2);
      answer.leave();
      const streamed = await waitUntil('the generation is known', () => engine.marked(mine)[0]);
      await waitUntil('it is aborted', () => streamed.state === 'aborted');

      const other = mark();
      const leaving = new AbortController();
      const waiting = call(plain, { messages: ask(`${other} sim:frames=100000 sim:every=5`) });
      const gone = begin(waiting.url, waiting.sent, leaving.signal).catch(() => {});
      const silent = await waitUntil('the generation is known', () => engine.marked(other)[0]);
      leaving.abort();
      await gone;
      await waitUntil('it is aborted', () => silent.state === 'aborted');
      if (flavour !== 'sglang') return;
      for (const generation of [streamed, silent]) {
        const called = engine.events.findIndex(
          (event) => event.kind === 'abort-called' && generation.id.startsWith(event.rid),
        );
        const closed = engine.events.findIndex(
          (event) => event.kind === 'socket-closed' && event.generation === generation,
        );
        assert.ok(called >= 0, 'SGLang was told to abort');
        assert.ok(closed < 0 || called < closed, 'the abort came before the socket closed');
      }
    });

    if (flavour === 'sglang' || flavour === 'vllm-0.10')
      case_('a second try has a name of its own, and what is left of the first does not end it', async () => {
        await untilWell();
        const mine = mark();
        const answer = await stream(same, {
          messages: ask(`${mine} sim:lose-line sim:frames=100000 sim:every=5`),
        });
        await answer.untilFrames(2);
        const [lost, second, ...more] = engine.marked(mine);
        assert.deepEqual([lost?.id === second?.id, more.length], [false, 0], answer.raw().toString());
        if (flavour === 'sglang')
          await waitUntil('what nobody hears is stopped', () => lost?.state === 'aborted');
        await answer.untilFrames(answer.frames().length + 2);
        assert.equal(new Set(answer.chunks().map(({ id }) => id)).size, 1);
        answer.leave();
        await waitUntil('the second is stopped', () => second?.state === 'aborted');
        lost?.abort();
      });

    case_('nothing of the caller travels on, and the engine gets our credential', async () => {
      const mine = mark();
      const { url, sent } = call(plain, { messages: ask(mine) });
      const headers = {
        ...sent.headers,
        cookie: 'session=secret',
        'x-request-id': 'forged',
        'x-forwarded-proto': '6.6.6.6',
        'x-custom': 'secret',
      };
      assert.equal((await send(url, { ...sent, headers })).status, 200);
      const [received] = engine.requestsMarked(mine);
      const lines = received!.rawHeaders.join('\n');
      assert.doesNotMatch(lines, /secret(?!$)|forged|6\.6\.6\.6|x-custom|cookie/im);
      assert.equal(received!.headers.authorization, 'Bearer engine-secret');
      assert.equal((JSON.parse(received!.body.toString()) as { model: string }).model, 'org/plain');
    });
  }

  test(`${engine.flavour}: text completions and the further endpoints of the direct door`, async () => {
    const base = `${gateway.url}/plain-${engine.flavour}/v1`;
    const model = `Plain-${engine.flavour}`;
    const completion = await send(`${base}/completions`, { body: { model, prompt: 'once', max_tokens: 3 } });
    const whole = completion.json as unknown as {
      id: string;
      model: string;
      choices: { text: string; finish_reason: string }[];
    };
    assert.deepEqual(
      [whole.model, whole.choices[0]?.text, whole.choices[0]?.finish_reason],
      [model, standardPieces.slice(0, 3).join(''), 'length'],
    );
    assert.match(whole.id, /^cmpl-/);
    const pieces = await openStream(`${base}/completions`, { body: { model, prompt: 'once', stream: true } });
    await pieces.ended;
    assert.equal(
      pieces
        .chunks()
        .map((chunk) => chunk.choices[0]?.text ?? '')
        .join(''),
      text,
    );
    assert.deepEqual(new Set(pieces.chunks().map((chunk) => chunk.model)), new Set([model]));
    const embedded = await send(`${base}/embeddings`, { body: { model, input: 'word' } });
    assert.deepEqual([embedded.status, embedded.json['model']], [200, model]);
    const tokenized = await send(`${base}/tokenize`, { body: { model, prompt: 'a b c', content: 'a b c' } });
    if (engine.flavour === 'openai')
      assert.deepEqual([tokenized.status, tokenized.error.code], [501, 'not_supported_by_engine']);
    else assert.deepEqual(tokenized.json['tokens'], [1, 2, 3]);
  });
}

interface Completion {
  readonly id: string;
  readonly object: string;
  readonly model: string;
  readonly choices: readonly {
    readonly message: {
      readonly content: string | null;
      readonly reasoning?: string;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
    };
    readonly finish_reason: string;
  }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
  };
}

interface ToolDelta {
  readonly id?: string | null;
  readonly function: { readonly name?: string | null; readonly arguments: string };
}

function contentOf(chunks: readonly Chunk[], field = 'content'): string {
  return chunks.map((chunk) => (chunk.choices[0]?.delta[field] as string | null | undefined) ?? '').join('');
}

function finishReasons(chunks: readonly Chunk[]): (string | null)[] {
  return chunks
    .flatMap((chunk) => chunk.choices.map((choice) => choice.finish_reason))
    .filter((reason) => reason !== null);
}
