import assert from 'node:assert/strict';
import test from 'node:test';
import { jsonFrame } from '#dialects/sse';
import { assembleAnswer } from './assembled-answer.ts';

const chunk = (delta: object, finish: string | null = null) =>
  jsonFrame({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] });
const sound = chunk({ role: 'assistant', content: null }) + chunk({ content: 'a' }) + chunk({}, 'stop');

test('the pieces of a stream become one answer', () => {
  assert.deepEqual(assembleAnswer(Buffer.from(sound)), {
    object: 'chat.completion',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'a' }, logprobs: null, finish_reason: 'stop' },
    ],
  });
});

test('a stream that broke off or told of an error is no answer', () => {
  assert.equal(assembleAnswer(Buffer.from(chunk({ content: 'a' }))), undefined);
  assert.equal(assembleAnswer(Buffer.from(sound + jsonFrame({ error: { message: 'x' } }))), undefined);
  assert.equal(assembleAnswer(Buffer.alloc(0)), undefined);
});
