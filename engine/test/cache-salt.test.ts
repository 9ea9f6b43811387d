import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPocketEngine } from './pocket-engine.ts';
import type { PocketEngine } from './pocket-engine.ts';

let engine: PocketEngine;
before(async () => {
  engine = await startPocketEngine();
});
after(() => engine.close());

test('what one caller asked is in nobody else’s cache', async () => {
  const secret =
    'The patient in room twelve is called Ada and has been given the wrong medicine twice this week.';
  const cachedFor = async (cacheSalt: string) => {
    const { usage } = await engine.chat({
      model: 'beta-4-scout',
      messages: [{ role: 'user', content: secret }],
      temperature: 0,
      max_tokens: 4,
      cache_salt: cacheSalt,
    });
    return usage.prompt_tokens_details.cached_tokens;
  };
  assert.equal(await cachedFor('first'), 0);
  assert.ok((await cachedFor('first')) > 10, 'one’s own is');
  assert.equal(await cachedFor('second'), 0);
});
