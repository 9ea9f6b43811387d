import { QueryClient, type InfiniteData } from '@tanstack/react-query';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatSummary } from '#contract/chats';
import { ageOf } from './chat-ages.ts';
import { queryKeys } from '../client/query-keys.ts';
import { noteChat, placed } from './chat-cache.ts';

const chat = (id: string, updatedAt: number): ChatSummary => ({
  id,
  title: id,
  titleSource: 'person',
  model: 'm',
  isPinned: false,
  isArchived: false,
  folderId: null,
  shareId: null,
  generationId: null,
  createdAt: 0,
  updatedAt,
});
const ids = (chats: readonly ChatSummary[]) => chats.map(({ id }) => id).join('');
const list = [chat('c', 30), chat('b', 20), chat('a', 10)];

test('a chat stands where its last message puts it', () => {
  assert.equal(ids(placed(list, chat('d', 40), true)), 'dcba');
  assert.equal(ids(placed(list, chat('a', 50), true)), 'acb');
  assert.equal(ids(placed(list, chat('b', 20), true)), 'cba');
  assert.equal(ids(placed(list, chat('e', 5), true)), 'cbae');
  assert.equal(ids(placed(list, chat('b', 20), false)), 'ca');
});

test('what is older than all that was read comes with the next page, once', () => {
  const queries = new QueryClient();
  const read = (nextCursor: string | null) =>
    queries.setQueryData(queryKeys.otherChats, { pages: [{ chats: list, nextCursor }], pageParams: [null] });
  const listed = () =>
    ids(
      queries
        .getQueryData<InfiniteData<{ chats: ChatSummary[] }>>(queryKeys.otherChats)!
        .pages.flatMap(({ chats }) => chats),
    );
  read('more');
  noteChat(queries, chat('e', 5));
  assert.equal(listed(), 'cba');
  noteChat(queries, chat('d', 15));
  assert.equal(listed(), 'cbda');
  read(null);
  noteChat(queries, chat('e', 5));
  assert.equal(listed(), 'cbae');
});

test('last night is yesterday, whatever the hour', () => {
  const now = new Date(2026, 10, 15, 0, 30);
  const ago = (hours: number) => now.getTime() - hours * 3_600_000;
  assert.deepEqual(
    [0, 1, 25, 24 * 8, 24 * 60].map((hours) => ageOf(ago(hours), now)),
    ['today', 'yesterday', 'week', 'month', 'older'],
  );
});
