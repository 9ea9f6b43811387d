import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matching } from './entry.ts';

test('an entry is found by parts of its words, in any order, case and accent', () => {
  const entries = ['Einstellungen: Schlüssel', 'Settings: API keys', 'New chat'].map((label) => ({
    id: label,
    icon: 'gear' as const,
    label,
    run: () => undefined,
  }));
  const found = (text: string) => matching(entries, text).map(({ label }) => label);
  assert.deepEqual(found('schlussel'), ['Einstellungen: Schlüssel']);
  assert.deepEqual(found('KEYS set'), ['Settings: API keys']);
  assert.deepEqual(found('keys chat'), []);
  assert.equal(found('  ').length, 3);
});
