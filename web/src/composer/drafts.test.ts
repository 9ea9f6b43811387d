import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftName, forgetDrafts, moveDraft, readDraft, writeDraft } from './drafts.ts';
import { memory, rememberInMemory } from './storage-in-memory.ts';

const local = rememberInMemory();
const openWindow = () => {
  const session = memory();
  return () => Object.defineProperty(globalThis, 'sessionStorage', { value: session, configurable: true });
};

const name = draftName('person', null);

test('two windows write two new chats, and a third begins with what was written last', () => {
  const [toOne, toOther, toThird] = [openWindow(), openWindow(), openWindow()];
  toOne();
  writeDraft(name, 'One');
  toOther();
  assert.equal(readDraft(name), 'One', 'its beginning');
  writeDraft(name, 'Other');
  toOne();
  assert.equal(readDraft(name), 'One');
  writeDraft(name, '');
  assert.equal(readDraft(name), '', 'sent, and not followed by the words of the other window');
  toThird();
  assert.equal(readDraft(name), 'Other');
  toOther();
  moveDraft(name, draftName('person', 'chat'));
  assert.deepEqual([readDraft(name), readDraft(draftName('person', 'chat'))], ['', 'Other']);
  toThird();
  assert.equal(readDraft(name), '', 'nothing is left behind');
});

test('the draft of a chat is the same in all windows, and sign-out in one of them takes those of all', () => {
  const [toOne, toOther] = [openWindow(), openWindow()];
  toOne();
  writeDraft(draftName('person', 'chat'), 'Same');
  writeDraft(`${name}.files`, '[1]');
  toOther();
  assert.equal(readDraft(draftName('person', 'chat')), 'Same');
  writeDraft(`${name}.files`, '[2]');
  forgetDrafts();
  toOne();
  assert.deepEqual([readDraft(`${name}.files`), Object.keys(local)], ['', []]);
});
