import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planStep } from './step-plan.ts';

const limits = { batchTokens: 512, chunkTokens: 62, readingTokensBesideWriters: 48 };
const writer = { isReading: false, pendingTokens: 1 };
const reader = (pendingTokens: number) => ({ isReading: true, pendingTokens });

test('writers always move; readers share what is left, the short ones first done', () => {
  assert.deepEqual(planStep([writer, reader(1000), writer], limits), [1, 48, 1]);
  assert.deepEqual(planStep([reader(1000), writer, reader(10)], limits), [38, 1, 10]);
  assert.deepEqual(planStep([reader(1000)], limits), [62]);
});

test('no plan exceeds a limit, and something always moves', () => {
  const work = fc.array(
    fc.record({ isReading: fc.boolean(), pendingTokens: fc.integer({ min: 1, max: 3000 }) }),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(work, (sequences) => {
      const plan = planStep(sequences, limits);
      const total = plan.reduce((sum, tokens) => sum + tokens, 0);
      assert.ok(total >= 1 && total <= limits.batchTokens);
      for (const [index, tokens] of plan.entries()) {
        const { isReading, pendingTokens } = sequences[index] ?? writer;
        assert.ok(tokens <= limits.chunkTokens && tokens <= pendingTokens);
        if (!isReading) assert.ok(tokens >= 1);
      }
    }),
  );
});
