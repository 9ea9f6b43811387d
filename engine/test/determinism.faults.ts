import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { longText, startPocketEngine } from './pocket-engine.ts';
import type { PocketEngine } from './pocket-engine.ts';

let engine: PocketEngine;
/** Has nothing in its cache that the first one has read. */
let crowded: PocketEngine;
before(async () => {
  engine = await startPocketEngine();
  crowded = await startPocketEngine();
});
after(() => Promise.all([engine.close(), crowded.close()]));

const questions = [
  'What is 17 + 25?',
  'Tell me a short story about a fox.',
  'Hello! Who are you?',
  'Name three colours.',
  'What is the capital of France?',
  `Say what this is about: ${longText(500)}`,
  'Write an email to my landlord about the heating.',
  'How do I boil an egg?',
];

const request = (question: string, body: object): object => ({
  model: 'gamma-oss-120b',
  messages: [{ role: 'user', content: question }],
  max_tokens: 60,
  ...body,
});

for (const [name, body] of [
  ['greedy text', { temperature: 0 }],
  ['text from a seed', { temperature: 0.9, seed: 11 }],
] as const) {
  test(`${name} is the same alone, among eight, and from the cache, to the last bit`, async () => {
    // Texts rarely show a small difference; log probabilities always do.
    const scored = { ...body, logprobs: true, top_logprobs: 2 };
    const ask = async (where: PocketEngine, question: string) =>
      (await where.chat(request(question, scored))).choices[0];
    const alone = [];
    for (const question of questions) alone.push(await ask(engine, question));
    const together = await Promise.all(questions.map((question) => ask(crowded, question)));
    assert.deepEqual(together, alone);
    const cached = await engine.chat(request(questions[5] ?? '', scored));
    assert.ok(cached.usage.prompt_tokens_details.cached_tokens > 400);
    assert.deepEqual(cached.choices[0], alone[5]);
    const plain = await engine.chat(request(questions[1] ?? '', body));
    assert.deepEqual(plain.choices[0]?.message, alone[1]?.message);
  });
}

test('choices of one request copy the prompt instead of reading it again', async () => {
  const before = await engine.metric('prompt_tokens_cached_total');
  const body = request(`Sum this up: ${longText(300)}`, { n: 4, temperature: 1, seed: 2, max_tokens: 8 });
  const answer = await engine.chat(body);
  const cached = (await engine.metric('prompt_tokens_cached_total')) - before;
  assert.ok(cached >= 3 * (answer.usage.prompt_tokens - 1), `${cached} of ${answer.usage.prompt_tokens} × 3`);
});

test('a seed gives the same text each time, also from a sampler that was used before', async () => {
  const body = request('Tell me a short story about a fox.', {
    model: 'beta-4-scout',
    temperature: 1.5,
    seed: 3,
  });
  const texts = new Set<string | null | undefined>();
  for (let round = 0; round < 3; round += 1) texts.add((await engine.chat(body)).choices[0]?.message.content);
  assert.equal(texts.size, 1);
});
