import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planStep } from './step-plan.ts';
import type { PendingWork } from './step-plan.ts';

const limits = {
  batchTokens: 512,
  chunkTokens: 62,
  readingTokensBesideWriters: 90,
  readingTokensInAPause: 200,
};

const writer = (member: string, given = 0): PendingWork => ({
  isReading: false,
  pendingTokens: 1,
  member,
  given,
  turn: 0,
});

const reader = (member: string, pendingTokens: number, given = 0, turn = 0): PendingWork => ({
  isReading: true,
  pendingTokens,
  member,
  given,
  turn,
});

test('reading and writing take turns', () => {
  const work = [writer('a'), reader('b', 1000), writer('b')];
  assert.deepEqual(planStep(work, limits, 0), [0, 62, 0]);
  assert.deepEqual(planStep(work, limits, 62), [0, 28, 0]);
  assert.deepEqual(planStep(work, limits, 90), [1, 0, 1]);
  assert.deepEqual(planStep([reader('b', 1000)], limits, 90), [62]);
});

test('prompts are read one after another, first that of whoever was given the least', () => {
  const work = [
    reader('a', 500, 900, 1),
    reader('a', 40, 900, 0),
    reader('b', 500, 700, 7),
    writer('a', 900),
  ];
  assert.deepEqual(planStep(work.slice(0, 3), limits, 0), [0, 0, 62]);
  assert.deepEqual(planStep(work.slice(0, 2), limits, 0), [22, 40], 'one turn after the other');
  assert.deepEqual(planStep([reader('a', 500), reader('a', 55, 0, -1)], limits, 0), [0, 55], 'no slivers');
});

test('somebody’s only question goes before all that others have several of, as long as a pause may be', () => {
  const work = [
    writer('heavy', 900),
    writer('heavy', 900),
    reader('heavy', 300, 900),
    reader('light', 300, 10),
    writer('modest', 50),
  ];
  assert.deepEqual(planStep(work, limits, 0), [0, 0, 0, 62, 1], 'one answer goes on');
  assert.deepEqual(planStep(work, limits, 186), [0, 0, 0, 62, 1]);
  assert.deepEqual(planStep(work, limits, 200), [1, 1, 0, 0, 1], 'then everybody writes');
  assert.deepEqual(planStep(work.slice(1, 4), limits, 0), [0, 0, 62], 'two can go on too');
  assert.deepEqual(planStep(work.slice(1, 4), limits, 90), [1, 0, 0]);
});

test('nobody waits for one who has had as much, for a second question, or for nobody in particular', () => {
  const heavy = [writer('heavy', 900), writer('heavy', 900), writer('heavy', 900)];
  for (const asked of [
    [reader('light', 200, 900)],
    [reader('light', 200, 10), writer('light', 10)],
    [reader('', 200, 10)],
  ])
    assert.deepEqual(planStep([...heavy, ...asked], limits, 90).slice(0, 3), [1, 1, 1]);
  assert.deepEqual(planStep([...heavy, reader('light', 200, 10)], limits, 90), [0, 0, 0, 62]);
});

test('no plan exceeds a limit, something always moves, and whoever writes moves again soon', () => {
  const work = fc.array(
    fc.record({
      isReading: fc.boolean(),
      pendingTokens: fc.integer({ min: 1, max: 3000 }),
      member: fc.constantFrom('', 'a', 'b', 'c'),
      given: fc.integer({ min: 0, max: 3 }),
      turn: fc.nat(),
    }),
    { minLength: 1, maxLength: 32 },
  );
  fc.assert(
    fc.property(work, fc.nat({ max: 400 }), (sequences, readBefore) => {
      let read = readBefore;
      const hasMoved = sequences.map(({ isReading }) => isReading);
      for (let step = 0; step < 12; step += 1) {
        const plan = planStep(sequences, limits, read);
        const total = plan.reduce((sum, tokens) => sum + tokens, 0);
        assert.ok(total >= 1 && total <= limits.batchTokens);
        for (const [index, tokens] of plan.entries()) {
          assert.ok(tokens <= limits.chunkTokens && tokens <= (sequences[index]?.pendingTokens ?? 0));
          if (tokens > 0) hasMoved[index] = true;
        }
        const readNow = plan.reduce(
          (sum, tokens, index) => sum + (sequences[index]?.isReading ? tokens : 0),
          0,
        );
        read = readNow === 0 ? 0 : read + readNow;
        if (sequences.every(({ pendingTokens }) => pendingTokens >= limits.chunkTokens) && step >= 4)
          assert.ok(hasMoved.every(Boolean), 'nobody stands still for longer than a pause');
      }
    }),
  );
});
