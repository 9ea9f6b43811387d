import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { KnownWords } from './known-words.ts';

const cutAnywhere = (text: string, cuts: readonly number[]) => {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((one, other) => one - other)];
  return places.map((place, index) => text.slice(place, places[index + 1]));
};

test('whatever pieces an answer comes in again, only what is new of it is left', () => {
  const texts = fc.record({
    thoughts: fc.string(),
    text: fc.string({ minLength: 1 }),
    seenShare: fc.nat(1000),
  });
  fc.assert(
    fc.property(texts, fc.array(fc.nat(500)), ({ thoughts, text, seenShare }, cuts) => {
      const seenLength = Math.floor(((thoughts.length + text.length) * seenShare) / 1000);
      const seen = {
        thoughts: thoughts.slice(0, seenLength),
        text: text.slice(0, Math.max(0, seenLength - thoughts.length)),
      };
      const known = new KnownWords(seen);
      const left = (voice: 'thoughts' | 'text', said: string) =>
        cutAnywhere(said, cuts)
          .map((piece) => known.newIn(voice, piece))
          .join('');
      assert.equal(seen.thoughts + left('thoughts', thoughts), thoughts);
      assert.equal(seen.text + left('text', text), text);
      known.somethingElse();
      assert.equal(known.isContradicted, false);
    }),
  );
});

test('another word, a new one too early, or an early end is a contradiction', () => {
  const seen = { thoughts: 'Hm. ', text: 'Once upon' };
  const hears = (...said: readonly ['thoughts' | 'text', string][]) => {
    const known = new KnownWords(seen);
    for (const [voice, words] of said) known.newIn(voice, words);
    known.somethingElse();
    return known.isContradicted;
  };
  assert.equal(hears(['thoughts', 'Hm. '], ['text', 'Once upon a time']), false);
  assert.equal(hears(['thoughts', 'Hm. '], ['text', 'Once more']), true);
  assert.equal(hears(['text', 'Once upon a time']), true, 'it does not think first');
  assert.equal(hears(['thoughts', 'Hm. Well'], ['text', 'Once upon']), true, 'it thinks longer');
  assert.equal(hears(['thoughts', 'Hm. '], ['text', 'Once']), true, 'it ends too early');
});
