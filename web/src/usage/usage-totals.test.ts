import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageRow } from '#contract/usage';
import { daysBetween, groupUsage, usageByDay } from './usage-totals.ts';

const row = (
  day: string,
  model: string,
  requests: number,
  inputTokens: number,
  outputTokens: number,
): UsageRow => ({
  day,
  model,
  door: 'chat',
  keyId: null,
  requests,
  inputTokens,
  outputTokens,
  cachedTokens: 0,
  reasoningTokens: 0,
});
const rows = [
  row('2026-02-27', 'a', 1, 10, 5),
  row('2026-03-01', 'a', 2, 20, 5),
  row('2026-03-01', 'b', 1, 100, 50),
];
const byModel = ({ model }: UsageRow) => model;

test('a month ends where it ends', () => {
  assert.deepEqual(daysBetween('2026-02-27', '2026-03-01'), ['2026-02-27', '2026-02-28', '2026-03-01']);
});

test('groups are summed, the largest first, and every day has its bar', () => {
  const groups = groupUsage(rows, byModel);
  assert.deepEqual(
    groups.map(({ name, requests }) => [name, requests]),
    [
      ['b', 1],
      ['a', 3],
    ],
  );
  const days = usageByDay(
    { from: '2026-02-27', to: '2026-03-01', rows, keys: [] },
    groups,
    byModel,
    'tokens',
  );
  assert.deepEqual(
    days.map(({ total, amounts }) => [total, ...amounts]),
    [
      [15, 0, 15],
      [0, 0, 0],
      [175, 150, 25],
    ],
  );
});
