import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeTail } from './complete-tail.ts';

const cases: [string, string][] = [
  ['plain words', 'plain words'],
  ['some **bol', 'some **bol**'],
  ['some **', 'some '],
  ['an *emph', 'an *emph*'],
  ['call `print(', 'call `print(`'],
  ['call `', 'call '],
  ['`a * b` and **c', '`a * b` and **c**'],
  ['snake_case_name', 'snake_case_name'],
  ['- item one\n- item **tw', '- item one\n- item **tw**'],
  ['* a bullet', '* a bullet'],
  ['see [the docs](https://exam', 'see the docs'],
  ['see [the do', 'see the do'],
  ['done [link](https://example.org) **x', 'done [link](https://example.org) **x**'],
  [String.raw`the sum \(x + y`, 'the sum '],
  ['- [ ] task', '- [ ] task'],
  ['~~gon', '~~gon~~'],
];

for (const [open, closed] of cases) {
  test(`${JSON.stringify(open)} shows as ${JSON.stringify(closed)}`, () =>
    assert.equal(completeTail(open), closed));
}
