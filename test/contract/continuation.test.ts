import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { startGateway } from '#harness/gateway';
import { openStream, type ReceivedStream } from '#harness/http-client';
import { ask, mark } from '#harness/service';
import { isBegun, standardPieces, standardThoughts } from '#harness/simulated-answer';
import { startSimulatedEngine } from '#harness/simulated-engine';
import type { Generation } from '#harness/simulated-state';
import { faultsOfStream, type StreamedChunk } from '#harness/stream-laws';
import { waitUntil } from '#harness/wait-until';

/** Models on two and three kinds of engines, some that think. */
const models = ['twin', { id: 'thinker', reasoning: 'fields' }] as const;
const engines = await Promise.all([
  startSimulatedEngine({ flavour: 'vllm', models }),
  startSimulatedEngine({ flavour: 'sglang', models }),
  startSimulatedEngine({ flavour: 'llama-server', models }),
]);
const [vllm, sglang, llama] = engines;
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    log: { level: 'info', format: 'json' },
    engines: [
      { name: 'vllm', kind: 'vllm', url: vllm.url, maxConcurrent: 64 },
      { name: 'sglang', kind: 'sglang', url: sglang.url, maxConcurrent: 64 },
      { name: 'sglang-again', kind: 'sglang', url: sglang.url, maxConcurrent: 64 },
      { name: 'llama', kind: 'llama-server', url: llama.url, maxConcurrent: 4 },
    ],
    models: [
      { id: 'twin', engines: ['vllm', 'sglang'], tools: true },
      { id: 'same', engines: ['sglang', 'sglang-again'].map((engine) => ({ engine, model: 'twin' })) },
      { id: 'triplet', engines: ['vllm', 'sglang', 'llama'].map((engine) => ({ engine, model: 'twin' })) },
      {
        id: 'thinker',
        engines: ['vllm', 'sglang'].map((engine) => ({ engine, model: 'thinker', reasoning: 'fields' })),
        reasoning: 'separate',
      },
      {
        id: 'tagger',
        engines: ['vllm', 'sglang'].map((engine) => ({ engine, model: 'thinker', reasoning: 'fields' })),
        reasoning: 'think-tags',
      },
    ],
  },
});
after(async () => {
  await gateway.stop();
  await Promise.all(engines.map((engine) => engine.stop()));
});

beforeEach(async () => {
  for (const { control } of engines) Object.assign(control, { everyGeneration: '', everyBeginning: '' });
  await waitUntil('all engines are in service', async () => {
    const metrics = await (await fetch(gateway.metricsUrl)).text();
    return !/^gatehouse_engine_healthy\{.*\} 0$/m.test(metrics);
  });
});

/** Whichever engine an answer begins on. */
function letBeginnersDie(death: string): void {
  for (const { control } of engines) control.everyBeginning = death;
}

/** What the engines were asked, in this order. */
function askedWith(mine: string): Generation[] {
  const all = engines.flatMap((engine) => engine.marked(mine));
  return all.sort((one, other) => Number(isBegun(one.request)) - Number(isBegun(other.request)));
}

function open(model: string, words: string, body: object = {}): Promise<ReceivedStream> {
  return openStream(`${gateway.url}/${model}/v1/chat/completions`, {
    body: { model, stream: true, messages: ask(words), ...body },
  });
}

interface Heard {
  readonly content: string;
  readonly thoughts: string;
  readonly error: string | undefined;
  readonly chunks: readonly StreamedChunk[];
  readonly note: unknown;
}

async function hear(stream: ReceivedStream): Promise<Heard> {
  assert.equal(await stream.ended, 'complete');
  const all = stream.chunks();
  const chunks = all.filter(({ error }) => error === undefined);
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta, text }) => ({ ...delta, text })));
  const join = (name: 'content' | 'reasoning' | 'text') =>
    deltas.map((delta) => (delta as Record<string, string>)[name] ?? '').join('');
  return {
    content: join('content') + join('text'),
    thoughts: join('reasoning'),
    error: all.find(({ error }) => error !== undefined)?.error?.code as string | undefined,
    chunks: chunks as unknown as StreamedChunk[],
    note: chunks.map((chunk) => (chunk as { gatehouse?: unknown }).gatehouse).find(Boolean),
  };
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index} `).join('');

for (const death of ['sim:die-after=6', 'sim:die-mid-frame=6', 'sim:error-event=6', 'sim:finish=abort'])
  test(`an answer goes on elsewhere after ${death}, and nobody hears a seam`, async () => {
    letBeginnersDie(death);
    const mine = mark();
    const options = { stream_options: { include_usage: true }, max_tokens: 30 };
    const heard = await hear(await open('twin', `${mine} sim:frames=20`, options));
    assert.equal(heard.error, undefined);
    assert.equal(heard.content, words(20));
    const expected = { model: 'twin', hasUsage: true, isWhole: true };
    assert.deepEqual(faultsOfStream(heard.chunks, expected), []);
    assert.deepEqual(heard.note, { continuations: 1 });
    const { usage } = heard.chunks.at(-1) as { usage: Record<string, number> };
    assert.equal(usage['completion_tokens'], 20);
    assert.equal(usage['total_tokens'], 20 + usage['prompt_tokens']!);

    const [, again] = askedWith(mine);
    const { messages, ...asked } = again!.request as { messages: { role: string; content: string }[] };
    const begun = messages.at(-1)!;
    assert.equal(begun.role, 'assistant');
    const written = begun.content.split(' ').length;
    assert.deepEqual(
      { ...asked, messages: begun.content + ' ' },
      {
        ...asked,
        messages: words(written),
        continue_final_message: true,
        add_generation_prompt: false,
        max_tokens: 30 - written,
      },
    );
    await waitUntil('the books have it once', () => {
      const rows = gateway.usageRecords().filter(({ request_id: id }) => again!.id.includes(id));
      if (rows.length === 0) return false;
      const [row] = rows;
      assert.deepEqual(
        [rows.length, row?.continuations, row?.ending, row?.output_tokens],
        [1, 1, 'completed', 20],
      );
      return true;
    });
  });

test('SGLang, which knows a request by its name, goes on under another one where it is the same engine', async () => {
  letBeginnersDie('sim:die-after=6');
  const mine = mark();
  const { content, error, chunks } = await hear(await open('same', `${mine} sim:frames=20`));
  assert.deepEqual([content, error, new Set(chunks.map(({ id }) => id)).size], [words(20), undefined, 1]);
  const [first = '', second = '', ...more] = askedWith(mine).map(({ id }) => id);
  assert.deepEqual(more, []);
  assert.ok(!first.startsWith(second) && !second.startsWith(first), `${first} and ${second}`);
});

test("an answer in Anthropic's dialect goes on too, as one message", async () => {
  letBeginnersDie('sim:die-after=4');
  const client = new Anthropic({ baseURL: `${gateway.url}/twin`, apiKey: 'none', maxRetries: 0 });
  const stream = client.messages.stream({
    model: 'twin',
    max_tokens: 100,
    messages: [{ role: 'user', content: `hello ${mark()}` }],
  });
  const { content, stop_reason: reason } = await stream.finalMessage();
  assert.deepEqual(
    [content.map((block) => (block.type === 'text' ? block.text : block.type)), reason],
    [[standardPieces.join('')], 'end_turn'],
  );
});

test('a text completion goes on with its prompt made longer', async () => {
  letBeginnersDie('sim:die-after=3');
  const stream = await openStream(`${gateway.url}/twin/v1/completions`, {
    body: { model: 'twin', stream: true, prompt: 'sim:frames=9 Go: ' },
  });
  const heard = await hear(stream);
  assert.deepEqual([heard.content, heard.error], [words(9), undefined]);
  assert.deepEqual(
    askedWith('Go: ').map(({ request }) => (request as { prompt: string }).prompt.split('Go: ')[1]),
    ['', 'w0 w1 w2'],
  );
});

test('what was thought is told to the next engine as a thought, in either form', async () => {
  letBeginnersDie('sim:die-after=8');
  const mine = mark();
  const apart = await hear(await open('thinker', mine));
  assert.deepEqual([apart.thoughts, apart.content], [standardThoughts.join(''), standardPieces.join('')]);
  const told = (askedWith(mine)[1]!.request as { messages: object[] }).messages.at(-1) as object;
  assert.equal((told as { reasoning_content: string }).reasoning_content, standardThoughts.join(''));
  const tagged = await hear(await open('tagger', mark()));
  assert.equal(tagged.content, `<think>${standardThoughts.join('')}</think>${standardPieces.join('')}`);
});

test('where nobody can go on, the caller is told so and no other engine is asked', async () => {
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];
  const cases: readonly (readonly [string, string, object])[] = [
    ['thinker', 'sim:die-after=3', {}],
    ['twin', 'sim:die-after=3', { tools }],
    ['twin', 'sim:die-after=4', { logprobs: true }],
    ['twin', 'sim:die-after=4', { n: 2 }],
    ['twin', 'sim:die-after=4', { response_format: { type: 'json_object' } }],
  ];
  for (const [model, death, body] of cases) {
    letBeginnersDie(death);
    const mine = mark();
    const heard = await hear(await open(model, mine, body));
    assert.equal(heard.error, 'engine_failed', JSON.stringify(body));
    assert.equal(askedWith(mine).length, 1, JSON.stringify(body));
  }
});

test('an answer that loses engine after engine is given up', async () => {
  for (const { control } of engines) control.everyGeneration = 'sim:die-after=4';
  const mine = mark();
  const heard = await hear(await open('triplet', `${mine} sim:frames=40`));
  assert.equal(heard.error, 'engine_failed');
  assert.equal(words(40).startsWith(heard.content), true);
  const asked = engines.map((engine) => engine.marked(mine).length);
  assert.deepEqual(asked, [1, 1, 1]);
});

test('all streams of an engine that dies go on, also where places are few', async () => {
  const mine = mark();
  const streams = await Promise.all(
    Array.from({ length: 60 }, () => open('triplet', `${mine} sim:frames=40 sim:every=20`)),
  );
  await Promise.all(streams.map((stream) => stream.untilFrames(3)));
  const began = vllm.marked(mine).length;
  assert.ok(began > 10, `${began} streams on the engine that dies`);
  await vllm.refuseConnections();
  for (const heard of await Promise.all(streams.map(hear)))
    assert.deepEqual([heard.error, heard.content], [undefined, words(40)]);
  await vllm.acceptAgain();
  const metrics = await (await fetch(gateway.metricsUrl)).text();
  assert.match(metrics, /^gatehouse_continuations_total\{model="triplet",ending="completed"\} [1-9]/m);
});
