import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftName } from './drafts.ts';
import { rememberInMemory } from './storage-in-memory.ts';
import {
  chatsWithQuestions,
  nextQuestion,
  noteChangedElsewhere,
  sendQuestion,
  waitingQuestions,
} from './waiting-questions.ts';

rememberInMemory();

const question = (id: string) => ({ id, content: `What is ${id}?`, attached: [], isHeld: false });

test('questions go one at a time, and one that the service will not take holds up those behind it', async () => {
  const draft = draftName('ada', 'chat-1');
  waitingQuestions.change(draft, () => [question('one'), question('two')]);
  waitingQuestions.change(draftName('ada', 'new'), () => [question('three')]);
  waitingQuestions.change(draftName('grace', 'chat-2'), () => [question('four')]);
  assert.deepEqual(chatsWithQuestions('ada'), ['chat-1'], 'what has no chat yet goes with its page');

  const reply = Promise.withResolvers<boolean>();
  const sent = sendQuestion(draft, question('one'), () => reply.promise);
  assert.equal(nextQuestion(draft), undefined, 'the one before it is on its way');
  reply.resolve(true);
  await sent;
  assert.equal(nextQuestion(draft)?.id, 'two');

  await sendQuestion(draft, question('two'), async () => false);
  assert.deepEqual(waitingQuestions.of(draft), [{ ...question('two'), isHeld: true }]);
  assert.equal(nextQuestion(draft), undefined, 'it waits for a click');
});

test('what a copy of this window has sent or taken back does not go from here', () => {
  const draft = draftName('ada', 'chat-3');
  waitingQuestions.change(draft, () => [question('five')]);
  const place = Object.keys(localStorage).find((name) => name.startsWith(draft)) ?? '';
  localStorage.removeItem(place);
  noteChangedElsewhere('something.else');
  assert.equal(nextQuestion(draft)?.id, 'five');
  noteChangedElsewhere(place);
  assert.equal(nextQuestion(draft), undefined);
});
