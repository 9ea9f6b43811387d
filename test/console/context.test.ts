import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '#harness/wait-until';
import type { Countable } from '#vocabulary/token-count';
import { startStage } from './stage.ts';
import type { Visitor } from './visitor.ts';

const model = 'beta-4-scout';

test('the context is counted by the engine, each text once; where it does not count, the number is an estimate', async () => {
  const asked: Countable[] = [];
  let count: (thing: Countable) => Promise<number | undefined> = async (thing) => simulatedCount(thing);
  await using stage = await startStage({
    countTokens: async (_, thing) => {
      asked.push(thing);
      return await count(thing);
    },
  });
  const ada = await stage.arrive('Ada');

  const counted = await preview(ada, 'three little words', 'Be brief.');
  assert.equal(counted.parts.isEstimated, false);
  // Four to a message, five around everything: what the template of this engine writes.
  assert.equal(counted.parts.conversation, 3 + 4);
  assert.equal(counted.parts.instructions, 2 + 4 + 5);
  const questions = asked.length;
  assert.deepEqual(await preview(ada, 'three little words', 'Be brief.'), counted);
  assert.equal(asked.length, questions, 'what was counted once is known');
  const bob = await stage.arrive('Bob');
  await preview(bob, 'three little words', 'Be brief.');
  assert.equal(asked.length, 2 * questions, 'nobody learns what somebody else has written');

  // One text alone is refused: the rest is still counted.
  count = async (thing) => (thing === 'too much for it' ? undefined : simulatedCount(thing));
  const inPart = await preview(ada, 'too much for it', 'Be brief.');
  assert.equal(inPart.parts.isEstimated, true);
  assert.ok(inPart.parts.conversation > 4);

  // An engine that answers nonsense is not believed, and not asked again for a while.
  stage.advance(60_000);
  count = async () => 1e9;
  const nonsense = await preview(ada, 'other words than before', '');
  assert.equal(nonsense.parts.isEstimated, true);
  assert.ok(nonsense.parts.conversation < 100);
  const asksOfLiar = asked.length;
  await preview(ada, 'and words once more', '');
  assert.equal(asked.length, asksOfLiar);

  // One that hangs is waited for once, not for every word that is typed.
  stage.advance(700_000);
  const released = Promise.withResolvers<undefined>();
  count = () => released.promise;
  assert.equal((await preview(ada, 'is anybody there', '')).parts.isEstimated, true);
  released.resolve(undefined);
  await waitUntil('it has given up', async () => {
    const before = asked.length;
    await preview(ada, `still nobody ${before}`, '');
    return asked.length === before || undefined;
  });
});

async function preview(visitor: Visitor, content: string, systemPrompt: string) {
  return await visitor.ok('POST /console/context', {
    body: { chatId: null, parentId: null, content, documents: [], model, systemPrompt, parameters: {} },
  });
}

/** A tokenizer of words, and a template of four tokens around each message and five around all. */
function simulatedCount(thing: Countable): number {
  if (typeof thing === 'string') return thing.split(/\s+/).filter((word) => word !== '').length;
  return thing.messages.reduce((sum, { content }) => sum + simulatedCount(content) + 4, 5);
}
