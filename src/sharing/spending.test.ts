import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '#vocabulary/logger';
import { loadSpending } from './spending.ts';

test('what was spent yesterday is not brought into a day that begins while the books are read', async () => {
  const dayMs = 86_400_000;
  let wallMs = 100 * dayMs - 1;
  const clock = { wallMs: () => wallMs, monotonicMs: () => 0 };
  const begun: unknown[] = [];
  const usage = {
    readSpending: async (dayStart: number) => {
      wallMs = 100 * dayMs;
      const day = dayStart < 100 * dayMs ? 5 : 0;
      return [
        { project: 'p', personId: null, keyId: null, address: null, model: 'm', day, month: 7, total: 9 },
      ];
    },
  };
  const begin = (subject: string, spent: object) => void begun.push([subject, spent]);
  await loadSpending({ usage, limitedModels: new Set(), begin, clock, logger: silentLogger });
  assert.deepEqual(begun[1], ['project:p', { day: 0, month: 7, total: 9 }]);
  assert.equal(begun.length, 3, 'once for each subject');
});
