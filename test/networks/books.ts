import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Neighbourhood } from './neighbourhood.ts';

export function proveBooks({ gateway, records }: Neighbourhood): void {
  test('the operator can say which project used what without a token', async () => {
    const { stdout } = await gateway.command('usage', '--by', 'project', '--json');
    const report = JSON.parse(stdout) as {
      rows: { group: string; requests: number; outputTokens: number; unfinishedRequests: number }[];
    };
    for (const project of ['physics', 'physics-v6']) {
      const row = report.rows.find(({ group }) => group === project);
      const own = records().filter((record) => record.project === project);
      assert.ok(row !== undefined && own.length > 0, stdout);
      assert.equal(row.requests, own.length);
      assert.equal(
        row.outputTokens,
        own.reduce((sum, record) => sum + record.output_tokens, 0),
      );
      assert.equal(row.unfinishedRequests, own.filter(({ ending }) => ending === 'caller-left').length);
    }
    const addresses = new Set(
      records()
        .filter(({ door }) => door === 'direct')
        .map(({ address }) => address),
    );
    assert.deepEqual([...addresses].sort(), ['10.77.0.3', 'fd77::3']);
  });
}
