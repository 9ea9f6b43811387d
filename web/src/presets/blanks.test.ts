import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countBlanks, nextBlank } from './blanks.ts';

test('blanks are gone through one after the other, forwards, backwards and round the end', () => {
  const text = 'Translate {text} into {language}, in {tone}.';
  const named = (selected: { from: number; to: number }, isBackwards?: boolean) => {
    const span = nextBlank(text, selected, isBackwards);
    return span === undefined ? undefined : text.slice(span.from, span.to);
  };
  const spanOf = (part: string) => ({ from: text.indexOf(part), to: text.indexOf(part) + part.length });
  assert.equal(named({ from: 0, to: 0 }), '{text}');
  assert.equal(named(spanOf('{text}')), '{language}');
  assert.equal(named(spanOf('{tone}')), '{text}');
  assert.equal(named(spanOf('{language}'), true), '{text}');
  assert.equal(named(spanOf('{text}'), true), '{tone}');
  assert.equal(nextBlank('only {one}', { from: 5, to: 10 }), undefined, 'the way out of the field is open');
  assert.deepEqual([text, 'only {one}', 'none'].map(countBlanks), [3, 1, 0]);
  assert.equal(nextBlank('if (a) {\n  b\n}', { from: 0, to: 0 }), undefined);
});
