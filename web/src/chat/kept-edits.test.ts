import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rememberInMemory } from '../composer/storage-in-memory.ts';
import { dropEdit, keepEdit, keptEdits } from './kept-edits.ts';

const kept = rememberInMemory();

const message = { id: 'm', content: 'What is a gate?' };
/** As a page that comes anew finds it. */
const reopened = () => {
  keptEdits.forget('chat');
  return keptEdits.of('chat');
};

test('the words of an edit are there after a reload and after Escape, until they are sent or dropped', () => {
  keepEdit('chat', message, { isOpen: true });
  keepEdit('chat', message, { content: 'What is a door?', isOpen: true });
  keepEdit('chat', { id: 'other', content: 'Why?' }, { content: 'Why not?', isOpen: true });
  dropEdit('chat', 'other');
  assert.deepEqual(reopened(), [{ id: 'm', content: 'What is a door?', isOpen: true }]);
  keepEdit('chat', message, { isOpen: false });
  assert.deepEqual(reopened(), [{ id: 'm', content: 'What is a door?', isOpen: false }]);
  keepEdit('chat', message, { isOpen: true });
  assert.deepEqual(reopened(), [{ id: 'm', content: 'What is a door?', isOpen: true }]);
  dropEdit('chat', 'm');
  assert.deepEqual([reopened(), Object.keys(kept).length], [[], 0]);
});

test('an edit without other words leaves nothing', () => {
  keepEdit('chat', message, { content: 'What is a do', isOpen: true });
  keepEdit('chat', message, { content: message.content, isOpen: true });
  assert.deepEqual(
    [keptEdits.of('chat').length, Object.keys(kept).length],
    [1, 0],
    'open, and not written down',
  );
  keepEdit('chat', message, { isOpen: false });
  assert.deepEqual(keptEdits.of('chat'), []);
});
