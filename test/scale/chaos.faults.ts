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
  assert.equal(new Set(report.deaths.map(({ name }) => name)).size, 6);
  assert.deepEqual(
    report.wrong,
    [],
    'whatever somebody got to the end is on the books as the engine served it',
  );
  assert.equal(report.doubled, 0, 'and counts once');
  assert.deepEqual(report.lost, [], 'no engine began what nobody wrote down');
  assert.deepEqual(
    report.failures.filter(({ reason }) => reason === 'nothing of its own died'),
    [],
    'nobody saw an error whose own gateway lived',
  );
  assert.ok(report.calls.some(({ ending }) => ending === 'whole'));
  context.diagnostic(`revoked keys were accepted for ${report.revocationsMs.join(', ')} ms`);
});
