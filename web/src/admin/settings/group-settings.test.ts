import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findIn, groupSettings } from './group-settings.ts';

const from = (source: string) => (name: string, value: string) => ({ name, value, source });
const said = from('gatehouse.yaml:2');
const usual = from('default');

test('what somebody has said stands apart, by room, and the entries of a list are one row', () => {
  const grouped = groupSettings([
    said('listen', ':8080'),
    usual('hostNames', '[]'),
    said('engines[0].name', 'gpu-1'),
    said('engines[0].kind', 'vllm'),
    said('engines[1].name', 'gpu-2'),
    usual('limits.maxBody', '32MiB'),
    said('sharing.limits.key.requestsAtOnce', '8'),
    said('signIn.providers[0].name', 'campus'),
    said('signIn.providers[0].label', 'Campus'),
  ]);
  const source = 'gatehouse.yaml:2';
  assert.deepEqual(grouped.said, [
    {
      name: '',
      rows: [
        { name: 'listen', source, value: ':8080' },
        {
          name: 'engines',
          source,
          value: [
            { name: 'gpu-1', fields: [{ name: 'kind', value: 'vllm' }] },
            { name: 'gpu-2', fields: [] },
          ],
        },
      ],
    },
    { name: 'sharing', rows: [{ name: 'limits.key.requestsAtOnce', source, value: '8' }] },
    {
      name: 'signIn',
      rows: [
        {
          name: 'providers',
          source,
          value: [{ name: 'campus', fields: [{ name: 'label', value: 'Campus' }] }],
        },
      ],
    },
  ]);
  assert.deepEqual(
    grouped.usual.map(({ name, rows }) => [name, rows.map((row) => row.name)]),
    [
      ['', ['hostNames']],
      ['limits', ['maxBody']],
    ],
  );
  assert.deepEqual(
    findIn(grouped.said, 'GPU-2').map(({ rows }) => rows[0]?.value),
    [[{ name: 'gpu-2', fields: [] }]],
    'of a list the entries that hold it, whole',
  );
  assert.deepEqual(
    findIn(grouped.said, 'sharing').map(({ name }) => name),
    ['sharing'],
  );
});
