import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemTimers } from '#vocabulary/clock';
import type { AppliedLimits } from '#vocabulary/limits';
import type { Topic } from '#vocabulary/peers';
import { createLimitKeeper } from './limit-keeper.ts';

const members = 2_300;
const mostTold = 2_000;
const perMinute = 2;

test('of thousands of members those who ask for something are told, and nobody gets more for being left out', async () => {
  let nowMs = 1_000_000;
  const clock = { monotonicMs: () => nowMs, wallMs: () => nowMs };
  const topics: Topic[] = [];
  const keepers = ['a', 'b'].map((id) => {
    const join = (topic: Topic) => void topics.push(topic);
    const peers = { join, count: 1, isInTouch: true, hurry() {} };
    return createLimitKeeper(clock, { peers, ownId: () => id, timers: systemTimers });
  });
  const [here, there] = keepers as [(typeof keepers)[0], (typeof keepers)[0]];
  /** Everybody tells, then everybody hears, and a quarter of a second has passed. Gives the most meters that somebody told. */
  const exchange = (): number => {
    nowMs += 250;
    const told = topics.map((topic) => JSON.parse(JSON.stringify(topic.tell())) as unknown[]);
    for (const [index, topic] of topics.entries()) topic.hear(new Map([[`${1 - index}`, told[1 - index]]]));
    return Math.max(...told.map(({ length }) => length));
  };
  const limitsOf = (member: number): readonly AppliedLimits[] => [
    {
      scope: 'key',
      subject: `key:k${member}`,
      modelId: undefined,
      limits: { requestsPerMinute: perMinute },
    } as const,
  ];
  const claim = { tokens: 10, cost: 1 };
  const ask = async (keeper: (typeof keepers)[0], member: number): Promise<boolean> => {
    try {
      const reservation = await keeper.reserve(
        limitsOf(member),
        () => claim,
        () => {},
      );
      reservation.settle(claim);
      return true;
    } catch {
      return false;
    }
  };
  exchange();
  for (let member = 0; member < members; member += 1)
    void Promise.resolve(
      here.reserve(
        limitsOf(member),
        () => claim,
        () => {},
      ),
    ).then((one) => one.settle(claim));
  await nextTurn();
  exchange();
  nowMs += 6_000;
  exchange();
  assert.equal(exchange(), mostTold);

  // The first of all sleeps. One of its two requests is taken, so that one is left, wherever it is asked for.
  const asked = [ask(there, 0), ask(here, 0), ask(there, 0), ask(here, 0)];
  const over = new AbortController();
  const answers = Promise.all(asked).finally(() => over.abort());
  while (!over.signal.aborted) {
    exchange();
    await nextTurn();
  }
  assert.deepEqual(await answers, [true, false, false, false]);
});
