import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ThinkSplitter } from './think-splitter.ts';

function split(pieces: readonly string[]): { reasoning: string; content: string } {
  const splitter = new ThinkSplitter();
  const whole = { reasoning: '', content: '' };
  for (const part of [...pieces.map((piece) => splitter.push(piece)), splitter.finish()]) {
    whole.reasoning += part.reasoning;
    whole.content += part.content;
  }
  return whole;
}

test('where a text is cut makes no difference', () => {
  const words = fc.constantFrom(
    '<think>',
    '</think>',
    '<',
    '</',
    '/think>',
    'think',
    ' ',
    '\n',
    'word',
    '>',
    'é',
  );
  fc.assert(
    fc.property(fc.array(words), fc.array(fc.nat(60)), (text, cuts) => {
      const whole = text.join('');
      const places = [...new Set(cuts.filter((cut) => cut < whole.length))].toSorted((a, b) => a - b);
      const pieces = [0, ...places].map((start, index) => whole.slice(start, places[index]));
      assert.deepEqual(split(pieces), split([whole]));
    }),
    { numRuns: 2000, examples: [[['<think>', ' '], [7]]] },
  );
});

test('only a text that begins with the tag thinks', () => {
  assert.deepEqual(split([' \n<think>\na < b</think>\n\nSo.']), { reasoning: 'a < b', content: 'So.' });
  assert.deepEqual(split(['Look: <think>x</think>']), { reasoning: '', content: 'Look: <think>x</think>' });
  assert.deepEqual(split(['<think>cut off </thi']), { reasoning: 'cut off </thi', content: '' });
  assert.deepEqual(split(['<thin']), { reasoning: '', content: '<thin' });
});
