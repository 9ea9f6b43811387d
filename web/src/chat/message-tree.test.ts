import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pendingMessage } from './conversation.ts';
import { branchesAt, buildTree, newestLeaf, pathTo, withMessages } from './message-tree.ts';

const message = (id: string, parentId: string | null) =>
  pendingMessage({ role: 'user', content: id, id, parentId });
const ids = (path: readonly { readonly id: string }[]) => path.map(({ id }) => id).join(' ');

//  a ─ b ─ c
//    └ d ─ e
//        └ f
const tree = buildTree([
  message('a', null),
  message('b', 'a'),
  message('c', 'b'),
  message('d', 'a'),
  message('e', 'd'),
  message('f', 'd'),
]);

test('a branch is the path from the top to its leaf', () => {
  assert.equal(ids(pathTo(tree, 'c')), 'a b c');
  assert.equal(ids(pathTo(tree, 'e')), 'a d e');
  assert.equal(ids(pathTo(tree, 'b')), 'a b');
});

test('an unknown leaf shows the newest branch, an empty chat nothing', () => {
  assert.equal(ids(pathTo(tree, 'gone')), 'a d f');
  assert.equal(ids(pathTo(tree, null)), 'a d f');
  assert.equal(ids(pathTo(buildTree([]), null)), '');
});

test('arrows lead to the neighbours and stop at the ends', () => {
  const b = tree.byId.get('b');
  assert.ok(b);
  assert.deepEqual(branchesAt(tree, b), { position: 1, count: 2, previousId: undefined, nextId: 'd' });
  assert.equal(newestLeaf(tree, 'd'), 'f');
});

test('changed messages replace, new ones follow', () => {
  const changed = { ...message('b', 'a'), content: 'other' };
  const messages = withMessages([message('a', null), message('b', 'a')], [changed, message('g', 'b')]);
  assert.deepEqual(
    messages.map(({ id, content }) => `${id}=${content}`),
    ['a=a', 'b=other', 'g=g'],
  );
});
