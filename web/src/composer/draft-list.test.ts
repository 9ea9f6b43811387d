import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDraftList } from './draft-list.ts';
import { rememberInMemory } from './storage-in-memory.ts';

interface Entry {
  readonly id: string;
  readonly isReady: boolean;
}

rememberInMemory();

/** A page that comes anew: only the browser remembers. */
const open = () =>
  createDraftList<Entry>({
    placeOf: (draft) => (draft === 'temporary' ? undefined : `${draft}.files`),
    isKept: ({ isReady }) => isReady,
  });

test('what waits beside a draft is there after a reload, once it is ready', () => {
  const list = open();
  list.change('new', () => [
    { id: 'a', isReady: true },
    { id: 'b', isReady: false },
  ]);
  list.change('temporary', () => [{ id: 'c', isReady: true }]);
  assert.deepEqual(open().of('new'), [{ id: 'a', isReady: true }]);
  assert.deepEqual(open().of('temporary'), []);
  assert.equal(list.of('new'), list.of('new'), 'the same list until it changes');
});

test('a file that is still being read when its chat begins becomes ready there', () => {
  const list = open();
  list.change('new', () => [{ id: 'b', isReady: false }]);
  list.move('new', 'chat');
  list.update('b', { isReady: true });
  assert.deepEqual([list.of('new'), list.of('chat')], [[], [{ id: 'b', isReady: true }]]);
  assert.deepEqual([open().of('new'), open().of('chat')], [[], [{ id: 'b', isReady: true }]]);
});
