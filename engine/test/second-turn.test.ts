import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '#harness/wait-until';
import { startPocketEngine } from './pocket-engine.ts';
import type { PocketEngine } from './pocket-engine.ts';

let engine: PocketEngine;
before(async () => {
  engine = await startPocketEngine();
});
after(() => engine.close());

for (const model of ['alpha-R1', 'beta-4-scout', 'gamma-oss-120b']) {
  test(`${model}: all of the first turn is in the cache when the second comes`, async () => {
    const first = [
      { role: 'system', content: 'You are a helpful assistant of a library in a small town.' },
      { role: 'user', content: 'Tell me a long story about a fox who wanted to learn how to read.' },
    ];
    const steps = await engine.metric('ahead_tokens_total');
    const told = await engine.chat({ model, messages: first, temperature: 0, max_tokens: 600 });
    const answer = { role: 'assistant', content: told.choices[0]?.message.content };
    await waitUntil('it reads ahead', async () => (await engine.metric('ahead_tokens_total')) > steps);
    await untilSettled();

    const messages = [...first, answer, { role: 'user', content: 'Thank you.' }];
    const { usage } = await engine.chat({ model, messages, temperature: 0, max_tokens: 4 });
    const readTokens = usage.prompt_tokens - usage.prompt_tokens_details.cached_tokens;
    assert.ok(
      usage.prompt_tokens > 100 && readTokens <= 12,
      `${readTokens} of ${usage.prompt_tokens} read again`,
    );
  });
}

async function untilSettled(): Promise<void> {
  let last = -1;
  for (let now = await engine.metric('ahead_tokens_total'); now !== last;) {
    last = now;
    await delay(500);
    now = await engine.metric('ahead_tokens_total');
  }
}
