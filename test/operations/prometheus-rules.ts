import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runProgram } from '#harness/system-programs';

const folder = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url));

export function proveRules(): void {
  test('Prometheus takes the alert rules and the scrape configuration', () => {
    const rules = runProgram('promtool', ['check', 'rules', 'alerts.yaml'], { folder });
    assert.equal(rules.status, 0, rules.output);
    assert.match(rules.output, /\d\d rules found/);
    const config = runProgram('promtool', ['check', 'config', 'scrape.yaml'], { folder });
    assert.equal(config.status, 0, config.output);
  });
}
