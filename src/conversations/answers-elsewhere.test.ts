import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PeerAnswer, PeerCalls, Topic } from '#vocabulary/peers';
import { createAnswersElsewhere } from './answers-elsewhere.ts';

test('an answer is stopped at the gateway that tells of it, and also while the news of that gateway are late', async () => {
  const asked: string[] = [];
  const calls: PeerCalls = {
    gateways: () => ['writer', 'another'],
    living: () => ['another'],
    async ask(gatewayId, { path, query }) {
      asked.push(gatewayId);
      const isThere = gatewayId === 'writer' && path === 'answers/one/stop' && query['person'] === 'ada';
      return { status: isThere ? 200 : 404 } as PeerAnswer;
    },
    isGone: async () => false,
  };
  let topic: Topic | undefined;
  const unused = {} as never;
  const elsewhere = createAnswersElsewhere({
    peers: { join: (joined) => (topic = joined), count: 2, isInTouch: true, hurry: () => {} },
    calls,
    registry: unused,
    store: unused,
    events: { isWatched: () => false } as never,
  });
  const generation = { id: 'one', messageId: 'm', model: 'm', chatId: null, startedAt: 1 };
  topic?.hear(new Map([['writer', [{ personId: 'ada', generation }]]]));
  assert.equal(await elsewhere.stop('ada', 'one'), true);
  assert.deepEqual(asked.splice(0), ['writer']);
  topic?.hear(new Map());
  assert.equal(await elsewhere.stop('ada', 'one'), true);
  assert.deepEqual(asked.splice(0).toSorted(), ['another', 'writer']);
  assert.equal(await elsewhere.stop('bob', 'one'), false, 'only by its owner');
});
