import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnexcused, runChaos } from './chaos.ts';

test('each of three gateways, two engines and the database is killed once, and the books know everything', async (context) => {
  const report = await runChaos({
    kills: 6,
    callers: 20,
    // Also on a machine on which a start takes half a minute.
    momentMs: 20_000,
    forNoLongerThanMs: 180_000,
    log: (line) => context.diagnostic(line),
  });
  assert.equal(new Set(report.deaths.map(({ name }) => name)).size, 6);
  assert.deepEqual(
    report.wrong,
    [],
    'whatever somebody got to the end is on the books as the engine served it',
  );
  assert.equal(report.doubled, 0, 'and counts once');
  assert.deepEqual(report.lost, [], 'no engine began what nobody wrote down');
  assert.deepEqual(
    report.failures.filter(isUnexcused),
    [],
    'nobody saw an error whose own gateway lived, or who could come back to another one',
  );
  assert.ok(report.calls.some(({ ending }) => ending === 'whole'));
  const resumed = report.calls.filter(({ ending }) => ending === 'resumed').length;
  context.diagnostic(`${resumed} answers went on after the death of their gateway`);
  context.diagnostic(`revoked keys were accepted for ${report.revocationsMs.join(', ')} ms`);
});
