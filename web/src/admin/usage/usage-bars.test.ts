import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageByGroup } from '#contract/usage-administration';
import { usageBars } from './usage-bars.ts';

const group = (name: string, tokens: number): UsageByGroup['groups'][number] => ({
  group: name,
  label: name,
  requests: 1,
  inputTokens: tokens,
  outputTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  estimatedTokens: 0,
  unfinishedRequests: 0,
});

test('the four largest have bars of their own, the others one together, and no day is left out', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const report: UsageByGroup = {
    from: '2026-02-28',
    to: '2026-03-01',
    groups: names.map((name, index) => group(name, 60 - index * 10)),
    others: null,
    days: names.map((name, index) => ({
      day: '2026-03-01',
      group: index < 5 ? name : null,
      requests: 1,
      tokens: 60 - index * 10,
    })),
  };
  const wanted = { measure: 'tokens', nameOf: (name: string) => name.toUpperCase(), others: 'rest' } as const;
  const { groups, days } = usageBars(report, wanted);
  assert.deepEqual(groups, ['A', 'B', 'C', 'D', 'rest']);
  assert.deepEqual(
    days.map(({ day, amounts, total }) => [day, total, ...amounts]),
    [
      ['2026-02-28', 0, 0, 0, 0, 0, 0],
      ['2026-03-01', 210, 60, 50, 40, 30, 30],
    ],
  );
});
