import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pendingMessage } from '../chat/conversation.ts';
import { advance, type AnswerProgress } from './answer-progress.ts';

const running: AnswerProgress = {
  message: pendingMessage({
    role: 'assistant',
    content: '',
    parentId: null,
    state: 'running',
    generationId: 'g',
  }),
  phase: 'waiting',
  place: null,
};

test('an answer grows event by event and ends as the server says', () => {
  const events = [
    { type: 'reasoning', text: 'Let me ' },
    { type: 'reasoning', text: 'think.' },
    { type: 'content', text: 'It is ' },
    { type: 'content', text: '4.' },
    { type: 'toolCall', index: 0, id: 'c1', name: 'add', argumentsText: '{"a":' },
    { type: 'toolCall', index: 0, argumentsText: '1}' },
    { type: 'ended', state: 'complete', finishReason: 'stop', error: null, usage: null, timings: null },
  ] as const;
  const { message } = events.reduce<AnswerProgress>(advance, running);
  assert.equal(message.reasoning, 'Let me think.');
  assert.equal(message.content, 'It is 4.');
  assert.deepEqual(message.toolCalls, [{ id: 'c1', name: 'add', argumentsText: '{"a":1}' }]);
  assert.equal(message.state, 'complete');
  assert.equal(message.generationId, null);
});

test('a snapshot replaces what was there, and what follows continues it', () => {
  const snapshot = { ...running.message, content: 'Already ' };
  const before = advance(running, { type: 'content', text: 'Already here and lost' });
  const after = advance(advance(before, { type: 'snapshot', message: snapshot, phase: 'answering' }), {
    type: 'content',
    text: 'here',
  });
  assert.equal(after.message.content, 'Already here');
});
