import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseThreads } from './choose-threads.ts';

test('threads leave a core free and never outnumber what the weights can keep busy', () => {
  const pocket = (cores: number): number => chooseThreads('auto', { cores, weightBytes: 35_009_152 });
  assert.deepEqual([1, 2, 4, 8, 16].map(pocket), [1, 1, 3, 4, 4]);
  assert.equal(chooseThreads('auto', { cores: 16, weightBytes: 4e9 }), 15);
  assert.equal(chooseThreads(16, { cores: 2, weightBytes: 1 }), 16, 'whoever names a number gets it');
});
