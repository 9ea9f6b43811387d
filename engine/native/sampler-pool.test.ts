import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSamplerPool } from './sampler-pool.ts';

test('samplers are used again, with fresh random numbers, and only so many are kept', () => {
  const seeds: number[] = [];
  let made = 0;
  let disposed = 0;
  const pool = createSamplerPool(() => {
    made += 1;
    return {
      applyConfig: ({ seed }) => void seeds.push(seed),
      dispose: () => {
        disposed += 1;
      },
    };
  }, 2);
  const config = { temperature: 1, topP: 1, minP: 0, seed: 7 };
  for (let round = 0; round < 3; round += 1) {
    const taken = [pool.take(config), pool.take(config)];
    for (const sampler of taken) pool.giveBack(sampler);
  }
  assert.deepEqual([made, disposed], [2, 0]);
  // llama.cpp begins its random numbers anew only when the seed changes.
  assert.ok(seeds.every((seed, index) => seed !== seeds[index - 1] || index % 2 === 0));
  assert.equal(seeds.at(-1), 7);

  const crowd = Array.from({ length: 5 }, () => pool.take(config));
  for (const sampler of crowd) pool.giveBack(sampler);
  assert.deepEqual([made, disposed], [5, 3]);
});
