import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '#harness/wait-until';
import { longText, startPocketEngine } from './pocket-engine.ts';
import type { PocketEngine } from './pocket-engine.ts';

const slots = 8;
let engine: PocketEngine;
before(async () => {
  engine = await startPocketEngine({ slots, maxWaiting: 80 });
});
after(() => engine.close());

const endless = (question: string): object => ({
  model: 'beta-4-scout',
  messages: [{ role: 'user', content: question }],
  temperature: 0.8,
  ignore_eos: true,
  max_tokens: 1500,
});

test('a reader who leaves frees the slot at once, in a stream and without one', async () => {
  for (const stream of [true, false]) {
    const leaving = new AbortController();
    const left = engine
      .post('/v1/chat/completions', { ...endless('Tell me everything.'), stream }, leaving.signal)
      .catch(() => 'left');
    await waitUntil('it runs', async () => (await engine.metric('requests_running')) === 1);
    const steps = await engine.metric('steps_total');
    leaving.abort();
    await left;
    await waitUntil('it has left', async () => (await engine.metric('requests_running')) === 0);
    const after = await engine.metric('steps_total');
    await delay(50);
    // The step that was under way when the reader left may still end.
    const settled = await engine.metric('steps_total');
    assert.ok(settled - after <= 1, `${settled - after} steps were taken for nobody`);
    await delay(50);
    assert.equal(await engine.metric('steps_total'), settled, 'no step is taken for nobody');
    assert.ok(after - steps < 300, `${after - steps} steps until it was gone`);
  }
});

test('streams keep flowing beside a long prompt', async () => {
  const leaving = new AbortController();
  const arrivals: number[] = [];
  let hasBegun = (): void => {};
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });
  const watching = (async () => {
    try {
      for await (const _chunk of engine.stream(
        '/v1/chat/completions',
        endless('Write a story.'),
        leaving.signal,
      )) {
        arrivals.push(await engine.metric('steps_total'));
        hasBegun();
      }
    } catch {
      // Left on purpose.
    }
  })();
  await begun;
  const seen = arrivals.length;
  const answer = await engine.chat({
    model: 'beta-4-scout',
    messages: [{ role: 'user', content: `Sum this up: ${longText(1500)}` }],
    max_tokens: 1,
    temperature: 0,
  });
  const during = arrivals.length - seen;
  leaving.abort();
  await watching;
  // Reading takes many steps, and the stream writes a token after every two of them.
  assert.ok(answer.usage.prompt_tokens > 1000);
  assert.ok(during >= answer.usage.prompt_tokens / 256, `${during} tokens came while the prompt was read`);
});

test('whoever comes when slots and line are full is refused, nobody else', async () => {
  const leaving = new AbortController();
  const replies = Array.from({ length: slots + 80 + 4 }, () =>
    engine.post('/v1/chat/completions', endless('Hello'), leaving.signal).catch(() => undefined),
  );
  const first = await Promise.race(replies);
  assert.equal(first?.status, 429);
  assert.match(JSON.stringify(first.body), /"code":"queue_full"/);
  leaving.abort();
  await Promise.all(replies);
  await waitUntil('all have left', async () => (await engine.metric('requests_running')) === 0);
  assert.equal(await engine.metric('requests_waiting'), 0);
});

/** Lengthen with `GATEHOUSE_SOAK_SECONDS=60`. */
const soakMs = Number(process.env['GATEHOUSE_SOAK_SECONDS'] ?? '12') * 1000;

test('64 clients on 8 slots: nothing lost, nothing mixed up, memory flat', async (context) => {
  const question = (name: number): string => `What is ${name} + ${name + 1}?`;
  const ask = (name: number, body: object = {}): object => ({
    model: name % 3 === 0 ? 'gamma-oss-120b' : 'beta-4-scout',
    messages: [{ role: 'user', content: question(name) }],
    temperature: 0,
    max_tokens: 4 + (name % 5) * 10,
    ...body,
  });
  const expected = new Map<number, unknown>();
  for (let name = 0; name < 12; name += 1)
    expected.set(name, (await engine.chat(ask(name))).choices[0]?.message);

  const deadline = performance.now() + soakMs;
  const memory = [await engine.metric('resident_memory_bytes')];
  let answered = 0;
  let left = 0;
  const client = async (random: () => number): Promise<void> => {
    while (performance.now() < deadline) {
      await delay(random() * 100);
      const name = Math.floor(random() * 12);
      if (random() < 0.25) {
        const leaving = new AbortController();
        const reply = engine.post(
          '/v1/chat/completions',
          ask(name, { stream: random() < 0.5 }),
          leaving.signal,
        );
        setTimeout(() => leaving.abort(), random() * 300);
        await reply.catch(() => {});
        left += 1;
      } else if (random() < 0.5) {
        const { choices } = await engine.chat(ask(name));
        assert.deepEqual(choices[0]?.message, expected.get(name));
        answered += 1;
      } else {
        let content = '';
        for await (const chunk of engine.stream('/v1/chat/completions', ask(name))) {
          content += chunk.choices[0]?.delta.content ?? '';
        }
        assert.equal(content, (expected.get(name) as { content: string }).content);
        answered += 1;
      }
    }
  };
  const clients = Array.from({ length: 64 }, (_unused, index) => client(randomFrom(index + 1)));
  const half = delay(soakMs / 2).then(async () => memory.push(await engine.metric('resident_memory_bytes')));
  await Promise.all([...clients, half]);
  memory.push(await engine.metric('resident_memory_bytes'));

  await waitUntil('all slots are free', async () => (await engine.metric('requests_running')) === 0);
  assert.equal(await engine.metric('requests_waiting'), 0);
  const megabytes = memory.map((bytes) => Math.round(bytes / 1e6)).join(', ');
  context.diagnostic(
    `${answered} answered, ${left} left early; megabytes at start, half and end: ${megabytes}`,
  );
  assert.ok(answered > 64 && left > 8, `${answered} answered, ${left} left`);
  const growth = (memory[2] ?? 0) - (memory[1] ?? 0);
  // The clients live in this process too, and their garbage counts.
  assert.ok(growth < 96 * 1024 * 1024, `memory grew by ${growth} bytes in the second half`);
});

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
