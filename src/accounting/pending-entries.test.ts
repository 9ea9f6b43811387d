import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageRecord } from '#vocabulary/usage';
import { createPendingEntries } from './pending-entries.ts';

function recordOf(requestId: string): UsageRecord {
  return {
    requestId,
    startedAt: 1,
    door: 'chat',
    caller: { kind: 'person', personId: 'ada' },
    address: '::1',
    endpoint: 'chat/completions',
    model: 'm',
    requestBytes: 1,
    project: 'everyone',
    engine: 'e',
    ending: 'completed',
    status: 200,
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0, isEstimated: false },
    waitMs: 0,
    firstByteMs: 0,
    durationMs: 0,
    cost: 0,
  };
}

const idsOf = (entries: string) => entries.split('\n').flatMap((line) => /^\w+/.exec(line)?.[0] ?? []);

test('a request that is over before its opening was taken needs no opening', () => {
  const pending = createPendingEntries(10);
  for (const id of ['quick', 'slow']) pending.open(recordOf(id));
  pending.settle(recordOf('quick'));
  assert.deepEqual(idsOf(pending.take().entries), ['Oslow', 'Squick']);
  pending.settle(recordOf('slow'));
  assert.deepEqual(idsOf(pending.take().entries), ['Sslow']);
  assert.deepEqual(pending.take(), { entries: '', count: 0 });
});

test('of several checkpoints only the last is written, instead of the opening and not beside the record', () => {
  const pending = createPendingEntries(10);
  for (const id of ['a', 'b']) pending.open(recordOf(id));
  for (const id of ['a', 'a', 'b']) pending.checkpoint(recordOf(id));
  pending.settle(recordOf('b'));
  assert.deepEqual(idsOf(pending.take().entries), ['Ca', 'Sb']);
});

test('when it is full the oldest openings go first, then the oldest records, and each loss is counted', () => {
  const pending = createPendingEntries(3);
  for (const id of ['a', 'b']) pending.settle(recordOf(id));
  for (const id of ['x', 'y']) pending.open(recordOf(id));
  assert.deepEqual([pending.size, pending.lostOpenings, pending.lostRecords], [3, 1, 0]);
  pending.settle(recordOf('y'));
  for (const id of ['c', 'd']) pending.settle(recordOf(id));
  assert.deepEqual([pending.size, pending.lostOpenings, pending.lostRecords], [3, 1, 2]);
  assert.deepEqual(idsOf(pending.take().entries), ['Sy', 'Sc', 'Sd']);
});
