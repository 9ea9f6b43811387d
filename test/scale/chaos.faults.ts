import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runChaos } from './chaos.ts';

test('each of three gateways, two engines and the database is killed once, and the books know everything', async (context) => {
  const report = await runChaos({
    kills: 6,
    callers: 20,
    forNoLongerThanMs: 180_000,
    log: (line) => context.diagnostic(line),
  });
  assert.equal(report.deaths.length, 6);
  assert.deepEqual(report.lost, [], 'every request that an engine began is on the books');
  assert.deepEqual(report.wrong, [], 'with the tokens that the engine served');
  assert.equal(report.summed, report.records, 'and counts once');
  const [unexcused] = report.unexcused;
  assert.equal(unexcused, undefined, 'nobody saw an error whose own gateway lived');
  assert.ok(report.calls.some(({ ending }) => ending === 'whole'));
  context.diagnostic(`revoked keys were accepted for ${report.revocationsMs.join(', ')} ms`);
});
