import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv } from './read-csv.ts';

test('quotes, line ends and separators are understood as spreadsheets write them', () => {
  const rows = (text: string) => readCsv(text).rows;
  assert.deepEqual(rows('a,b\n1,"x, ""y""\nz"\n'), [
    ['a', 'b'],
    ['1', 'x, "y"\nz'],
  ]);
  assert.deepEqual(rows('a;b\r\n1,5;2'), [
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  assert.deepEqual(rows('a\tb\n"never closed,\n'), [['a', 'b'], ['never closed,\n']]);
  assert.equal(readCsv('x\n'.repeat(100_000)).isCut, true);
});
