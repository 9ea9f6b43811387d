import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPatientEncoder } from './patient-encoder.ts';

const calls: { readonly text: string; readonly turn: number }[] = [];
let turn = 0;
const special = /<end>/g;
/** One token per character, or per control text. */
const encoder = createPatientEncoder({
  special,
  isBareSpace: (token) => token === 0x20,
  encode: (text) => {
    calls.push({ text, turn });
    return Array.from(text, (character) => character.codePointAt(0) ?? 0);
  },
});

test('long texts get one slice per turn of the event loop, all of them together', async () => {
  let isDone = false;
  const count = (): void => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  calls.length = 0;
  const texts = ['one and two '.repeat(2000), 'x'.repeat(20_000), 'mine<end>'.repeat(2000)];
  const encoded = await Promise.all(
    texts.map((text) => encoder.encode([{ text, parsesSpecial: true }], () => {})),
  );
  isDone = true;
  for (const [index, tokens] of encoded.entries())
    assert.equal(String.fromCodePoint(...tokens.slice(0, 5000)), texts[index]?.slice(0, 5000));
  assert.deepEqual(
    encoded.map((tokens) => tokens.length),
    texts.map((text) => text.length),
  );
  const perTurn = Map.groupBy(calls.slice(texts.length), (call) => call.turn);
  assert.ok(perTurn.size > 25, `${perTurn.size} turns`);
  for (const [at, slices] of perTurn) assert.ok(slices.length <= 2, `${slices.length} slices in turn ${at}`);
});

test('cuts fall between words and before control texts, and never inside one', async () => {
  calls.length = 0;
  const words = 'so-called words, 10 of them. '.repeat(300);
  await encoder.encode([{ text: words, parsesSpecial: true }]);
  for (const { text } of calls.slice(1)) assert.match(text, /^ (words|of|them|called|so)/);
  calls.length = 0;
  await encoder.encode([{ text: '-9 <end>'.repeat(900), parsesSpecial: true }]);
  for (const { text } of calls.slice(1)) assert.match(text, /^<end>/);
});

test('whoever counts can end the work', async () => {
  calls.length = 0;
  const work = encoder.encode([{ text: 'a '.repeat(500_000), parsesSpecial: false }], (tokens) => {
    if (tokens > 10_000) throw new Error('too long');
  });
  await assert.rejects(work, /too long/);
  assert.ok(calls.length < 10, `${calls.length} slices`);
});
