import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '#harness/wait-until';
import type { Parameters } from '#contract/messages';
import type { ResponseOf } from '#contract/routes';
import type { ChatAsk } from '#vocabulary/chat-inference';
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

  stage.reload();
  await preview(ada, 'three little words', 'Be brief.');
  assert.equal(asked.length, 3 * questions, 'after a reload a name may stand for another model');

  // One text alone is refused: the rest is still counted.
  count = async (thing) => (thing === 'too much for it' ? undefined : simulatedCount(thing));
  const inPart = await preview(ada, 'too much for it', 'Be brief.');
  assert.equal(inPart.parts.isEstimated, true);
  assert.ok(inPart.parts.conversation > 4);

  // SGLang counts texts, and not what its template puts around them.
  stage.reload();
  count = async (thing) => (typeof thing === 'string' ? simulatedCount(thing) : undefined);
  assert.equal((await preview(ada, 'three little words', '')).parts.isEstimated, true);

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

test('the oldest messages of a long chat are summarised once, and the summary stands for them', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const parameters = { whenFull: 'summarise' } as const;
  let last: Started | undefined;
  let engineAsks = 0;
  const turn = async (content: string) => {
    const started = await ask(ada, content, last, parameters);
    last = started;
    return started;
  };
  const answerIt = async () => {
    const answer = await stage.inference.asked(engineAsks++);
    answer.say('Quite so.');
    answer.finish();
    await whenQuiet(ada);
    return promptOf(answer.ask);
  };
  const words = 'We spoke of many things. '.repeat(75);
  for (const name of ['one', 'two']) {
    await turn(`Turn ${name}. ${words}`);
    assert.match(await answerIt(), new RegExp(`^Turn one.*${words}$`, 's'));
  }

  // The third does not fit beside the others: its answer begins with a summary of them.
  const third = await turn(`Turn three. ${words}`);
  const writing = await stage.inference.asked(engineAsks++);
  assert.match(promptOf(writing.ask), /<conversation>\nUser: Turn one\..*Assistant: Quite so\./s);
  assert.doesNotMatch(promptOf(writing.ask), /Turn three/);
  assert.equal(writing.ask.isTemporary, false, 'it is in the books, and has a receipt');
  writing.say('They spoke of <summary>many</summary> things.');
  writing.finish();
  const sent = await answerIt();
  assert.match(sent, /^<summary>\nThey spoke of ‹summary>many‹\/summary> things\.\n<\/summary>/);
  assert.match(sent, /Turn three/);
  assert.doesNotMatch(sent, /Turn one/);

  const chatId = third.chat.id;
  const read = async () => (await ada.ok('GET /console/chats/:chatId', { chatId })).messages;
  const messages = await read();
  const summarised = messages.find(({ summary }) => summary !== null);
  assert.ok(summarised?.summary);
  assert.deepEqual(summarised.summary.requestIds, [writing.ask.requestId]);
  const context = messages.at(-1)?.context;
  assert.equal(context?.summary, 'They spoke of <summary>many</summary> things.');
  const firstSeen = messages.find(({ id }) => id === context?.beginsAt);
  assert.equal(firstSeen?.parentId, summarised.id, 'the view begins behind what is summarised');

  // Edited, it is what the next answer gets; a branch from before knows nothing of it.
  const messageId = summarised.id;
  await ada.ok('PUT /console/chats/:chatId/messages/:messageId/summary', {
    chatId,
    messageId,
    body: { text: ' Bees, mostly. ' },
  });
  await turn('Turn four.');
  assert.match(await answerIt(), /^<summary>\nBees, mostly\.\n/);
  const [first] = messages;
  await ask(ada, 'Another turn.', { chat: third.chat, messages: [first!] }, parameters);
  assert.match(await answerIt(), /^Turn one\./);

  // An export holds it, and an import brings it back without the receipts of somebody else.
  const file = await ada.call('GET /console/chats/:chatId/export', { chatId, query: { format: 'json' } });
  const { chats } = await ada.ok('POST /console/chats/import', { body: JSON.parse(file.text) });
  const copy = await ada.ok('GET /console/chats/:chatId', { chatId: chats[0]!.id });
  assert.deepEqual(
    copy.messages.flatMap(({ summary }) => summary ?? []).map(({ text, requestIds }) => [text, requestIds]),
    [['Bees, mostly.', []]],
  );

  // The next one builds on it; when it cannot be written, the answer comes without, and says why.
  await turn(`Turn five. ${words}${words}`);
  const failing = await stage.inference.asked(engineAsks++);
  assert.match(promptOf(failing.ask), /Bees, mostly\./);
  failing.refuse(503, 'engine_unavailable');
  assert.match(await answerIt(), /Turn five/);
  const told = (await read()).at(-1)?.context;
  assert.deepEqual([told?.summary, told?.summaryProblem], ['Bees, mostly.', 'engine_unavailable']);

  // Whoever stops the answer stops its summary; nothing reaches the engine after it.
  const stopped = await turn(`Turn six. ${words}`);
  const cancelled = await stage.inference.asked(engineAsks++);
  const { id: generationId } = stopped.generation;
  await ada.ok('POST /console/generations/:generationId/stop', { generationId });
  await whenQuiet(ada);
  assert.equal(cancelled.ask.cancellation.isCancelled, true);
  assert.equal((await read()).at(-1)?.state, 'stopped');
  assert.equal(stage.inference.answers.length, engineAsks);

  await ada.ok('DELETE /console/chats/:chatId/messages/:messageId/summary', { chatId, messageId });
  assert.ok((await read()).every(({ summary }) => summary === null));
});

type Started = Pick<ResponseOf<'POST /console/generations'>, 'chat' | 'messages'>;

async function ask(visitor: Visitor, content: string, after: Started | undefined, parameters: Parameters) {
  return await visitor.ok('POST /console/generations', {
    body: {
      chatId: after?.chat.id ?? null,
      parentId: after?.messages.at(-1)?.id ?? null,
      newMessages: [{ role: 'user', content }],
      model,
      parameters,
      requestKey: content.padEnd(8).slice(0, 60),
    },
  });
}

async function whenQuiet(visitor: Visitor): Promise<void> {
  await waitUntil('nothing is being written', async () => {
    const { generations } = await visitor.ok('GET /console/generations');
    return generations.length === 0 || undefined;
  });
}

function promptOf({ request }: ChatAsk): string {
  const messages = request['messages'] as { readonly content: string }[];
  return messages.map(({ content }) => content).join('\n');
}

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
