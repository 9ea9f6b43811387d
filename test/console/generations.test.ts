import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GenerationEvent } from '#contract/generations';
import { waitUntil } from '#harness/wait-until';
import { startStage } from './stage.ts';
import type { Visitor } from './visitor.ts';

const model = 'beta-4-scout';
let clicks = 0;

function start(
  visitor: Visitor,
  content: string,
  more: { chatId?: string; parentId?: string; model?: string } = {},
) {
  return visitor.ok('POST /console/generations', {
    body: {
      chatId: null,
      parentId: null,
      model,
      ...more,
      newMessages: content === '' ? [] : [{ role: 'user', content }],
      requestKey: `click-number-${(clicks += 1)}`,
    },
  });
}

/** What a page would show after these events. */
function replay(events: readonly GenerationEvent[]): { content: string; reasoning: string } {
  const shown = { content: '', reasoning: '' };
  for (const event of events) {
    if (event.type === 'snapshot')
      Object.assign(shown, { content: event.message.content, reasoning: event.message.reasoning });
    if (event.type === 'content') shown.content += event.text;
    if (event.type === 'reasoning') shown.reasoning += event.text;
  }
  return shown;
}

test('an answer reaches every window, whenever it comes and wherever it left off', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const { generation, chat } = await start(ada, 'Tell me a story about a lighthouse', {
    model: 'gamma-oss-120b',
  });
  const answer = await stage.inference.asked(0);
  const first = ada.listenToAnswer(generation.id);
  await first.until((event) => event.type === 'snapshot');
  answer.think('Let me ');
  answer.think('see.');
  answer.say('Once ');
  await first.until((event) => event.type === 'content');
  first.close();

  // Nobody listens; the answer goes on.
  answer.say('upon ');
  answer.say('a time');
  const late = ada.listenToAnswer(generation.id);
  await late.until((event) => event.type === 'snapshot');
  const seen = first.sequences.at(-1)!;
  const back = ada.listenToAnswer(generation.id, seen);
  await back.until((event) => event.type === 'content');
  answer.say(' there was');
  await late.until((event) => event.type === 'content');
  late.close();
  answer.say(' a light.');
  const fromSnapshot = ada.listenToAnswer(generation.id, late.sequences[0]);
  answer.finish();
  for (const stream of [fromSnapshot, back]) await stream.over();

  const whole = { content: 'Once upon a time there was a light.', reasoning: 'Let me see.' };
  assert.deepEqual(replay([late.events[0]!, ...fromSnapshot.events]), whole);
  assert.ok(back.events.every((event) => event.type !== 'snapshot'));
  assert.deepEqual(replay([...first.events, ...back.events]), whole);
  assert.ok(
    back.sequences.every((sequence) => sequence > seen),
    'nothing came twice',
  );
  const ended = back.events.at(-1);
  assert.ok(ended?.type === 'ended' && ended.state === 'complete');
  assert.deepEqual(ended.usage, { inputTokens: 7, outputTokens: 3, cachedTokens: 0, reasoningTokens: 0 });

  const { messages } = await ada.ok('GET /console/chats/:chatId', { chatId: chat.id });
  assert.deepEqual(
    messages.map(({ role, content, reasoning, state }) => ({ role, content, reasoning, state })),
    [
      { role: 'user', content: 'Tell me a story about a lighthouse', reasoning: '', state: 'complete' },
      { role: 'assistant', ...whole, state: 'complete' },
    ],
  );
  // Coming back after the end shows the end, also to a page that has seen everything.
  for (const after of [0, back.sequences.at(-1)!, 999_999]) {
    const afterwards = ada.listenToAnswer(generation.id, after);
    await afterwards.over();
    assert.equal(afterwards.events.at(-1)?.type, 'ended', String(after));
  }
});

test('one stream carries any number of answers, of this person alone', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const bob = await stage.arrive('Bob');
  const [old] = [await start(ada, 'before the window opens')];
  const window = await ada.listen();
  const [hello] = window.events;
  assert.ok(hello?.type === 'hello');
  assert.deepEqual(hello.generations, [old.generation]);
  const started = [old];
  for (let count = 1; count < 8; count += 1) started.push(await start(ada, `number ${count}`));
  const foreign = await start(bob, 'none of her business');
  for (const [index] of started.entries()) {
    const answer = await stage.inference.asked(index);
    answer.say(`This is ${index}.`);
    answer.finish();
  }
  for (const { generation } of started) {
    await window.until((event) => event.type === 'generationEnded' && event.generation.id === generation.id);
  }
  for (const [index, { generation }] of started.entries()) {
    const own = window.events.flatMap((event) =>
      event.type === 'answer' && event.generationId === generation.id ? [event.event] : [],
    );
    assert.equal(replay(own).content, `This is ${index}.`);
    assert.equal(own.at(-1)?.type, 'ended');
  }
  const nosy = await ada.listen(`${foreign.generation.id}:0`);
  await start(ada, 'something to wait for');
  await nosy.until((event) => event.type === 'generationStarted');
  assert.ok(
    ![...window.events, ...nosy.events].some((event) =>
      JSON.stringify(event).includes(foreign.generation.id),
    ),
  );
  for (const stream of [window, nosy]) stream.close();
});

test('stop reaches the engine, keeps what is there, and a double click starts one answer', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const body = {
    chatId: null,
    parentId: null,
    model,
    newMessages: [{ role: 'user' as const, content: 'Go' }],
    requestKey: 'double-click',
  };
  const [one, two] = await Promise.all([
    ada.ok('POST /console/generations', { body }),
    ada.ok('POST /console/generations', { body }),
  ]);
  assert.equal(one.generation.id, two.generation.id);
  const answer = await stage.inference.asked(0);
  assert.equal(stage.inference.answers.length, 1);
  answer.say('half of an ans');
  assert.deepEqual((await ada.ok('GET /console/generations')).generations, [one.generation]);
  await ada.ok('POST /console/generations/:generationId/stop', { generationId: one.generation.id });
  assert.equal(answer.ask.cancellation.reason, 'stopped');
  const stream = ada.listenToAnswer(one.generation.id, 0);
  await stream.over();
  const { messages, chat } = await waitUntil('the stop is written down', async () => {
    const read = await ada.ok('GET /console/chats/:chatId', { chatId: one.chat.id });
    return read.chat.generationId === null ? read : undefined;
  });
  assert.equal(chat.activeLeafId, messages.at(-1)?.id);
  assert.deepEqual([messages.at(-1)?.content, messages.at(-1)?.state], ['half of an ans', 'stopped']);
});

test('an edit and a new answer are siblings, and the engine sees the branch alone', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const { chat, messages } = await start(ada, 'What is two and two?');
  const [question, firstAnswer] = messages;
  const chatId = chat.id;
  const finish = async (index: number, text: string) => {
    const answer = await stage.inference.asked(index);
    answer.say(text);
    answer.finish();
    await waitUntil(
      'it is written down',
      async () => (await ada.ok('GET /console/chats/:chatId', { chatId })).chat.generationId === null,
    );
    return answer.ask.request['messages'];
  };
  await finish(0, 'Five.');
  await start(ada, '', { chatId, parentId: question!.id });
  assert.deepEqual(await finish(1, 'Four.'), [{ role: 'user', content: 'What is two and two?' }]);
  const edited = await start(ada, 'And three and three?', { chatId, parentId: firstAnswer!.id });
  assert.deepEqual(await finish(2, 'Six.'), [
    { role: 'user', content: 'What is two and two?' },
    { role: 'assistant', content: 'Five.' },
    { role: 'user', content: 'And three and three?' },
  ]);
  const tree = await ada.ok('GET /console/chats/:chatId', { chatId });
  assert.equal(tree.messages.filter(({ parentId }) => parentId === question!.id).length, 2);
  assert.equal(tree.chat.activeLeafId, edited.messages.at(-1)!.id);
  const back = await ada.ok('PATCH /console/chats/:chatId', { chatId, body: { activeLeafId: question!.id } });
  assert.equal(
    tree.messages.find(({ id }) => id === back.activeLeafId)?.content,
    'Four.',
    'the newest answer below it',
  );
  const nothing = {
    chatId,
    parentId: firstAnswer!.id,
    newMessages: [],
    model,
    requestKey: 'nothing-to-answer',
  };
  await ada.refused('POST /console/generations', 400, 'invalid_parameter', { body: nothing });
});

test('a refusal, a death in the middle and thinking in tags are told apart', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const endOf = async (
    content: string,
    act: (answer: Awaited<ReturnType<typeof stage.inference.asked>>) => void,
  ) => {
    const { generation } = await start(ada, content);
    act(await stage.inference.asked(stage.inference.answers.length - 1));
    const stream = ada.listenToAnswer(generation.id, 0);
    await stream.over();
    const end = stream.events.at(-1);
    assert.ok(end?.type === 'ended');
    return { end, shown: replay(stream.events) };
  };
  const refused = await endOf('one', (answer) => answer.refuse(503, 'engine_unavailable'));
  assert.deepEqual([refused.end.state, refused.end.error?.code], ['failed', 'engine_unavailable']);
  const died = await endOf('two', (answer) => {
    answer.say('almost');
    answer.cut();
  });
  assert.deepEqual([died.end.state, died.shown.content], ['interrupted', 'almost']);
  const failed = await endOf('three', (answer) => {
    answer.say('almost');
    answer.send({ error: { message: 'The engine went away.', type: 'server_error', code: 'engine_failed' } });
    answer.finish();
  });
  assert.deepEqual([failed.end.state, failed.end.error?.message], ['failed', 'The engine went away.']);
  const tagged = await endOf('four', (answer) => {
    for (const piece of ['<th', 'ink>hm', 'm</', 'think>', '\n\n', 'Yes <think> is a tag.'])
      answer.say(piece);
    answer.finish();
  });
  assert.deepEqual([tagged.shown.reasoning, tagged.shown.content], ['hmm', 'Yes <think> is a tag.']);
  const calls = await endOf('five', (answer) => {
    const piece = (fields: object) =>
      answer.send({ choices: [{ index: 0, delta: { tool_calls: [fields] } }] });
    piece({ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":' } });
    piece({ index: 0, function: { arguments: '"Oslo"}' } });
    answer.finish();
  });
  assert.equal(calls.end.state, 'complete');
  const { chats } = await ada.ok('GET /console/chats', { query: { limit: 1 } });
  const { messages } = await ada.ok('GET /console/chats/:chatId', { chatId: chats[0]!.id });
  assert.deepEqual(messages.at(-1)?.toolCalls, [
    { id: 'call_1', name: 'weather', argumentsText: '{"city":"Oslo"}' },
  ]);
});

test('a gateway that dies leaves what was saved, marked as interrupted', async () => {
  const stage = await startStage();
  const ada = await stage.arrive('Ada');
  const { chat } = await start(ada, 'A long one, please');
  const answer = await stage.inference.asked(0);
  answer.say('The first part was sa');
  answer.say('ved.');
  await waitUntil('the part is on disk', () => stage.dump().includes('The first part was saved.'));
  await stage.abandon();

  await using again = await startStage({ dataDir: stage.dataDir });
  const back = again.visitor();
  for (const [name, value] of ada.cookies) back.cookies.set(name, value);
  const { messages } = await back.ok('GET /console/chats/:chatId', { chatId: chat.id });
  const { state, content, generationId } = messages.at(-1)!;
  assert.deepEqual(
    { state, content, generationId },
    { state: 'interrupted', content: 'The first part was saved.', generationId: null },
  );
  assert.equal((await back.ok('GET /console/chats/search', { query: { q: 'saved' } })).results.length, 1);
});

test('titles come from the model in the background and reach every window', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const window = await ada.listen();
  stage.inference.title = '"Storms at sea."';
  const { chat } = await start(
    ada,
    'why are there   storms\nat sea, and why do lighthouses stand where they stand and not elsewhere?',
  );
  assert.deepEqual(
    [chat.title, chat.titleSource],
    ['why are there storms at sea, and why do lighthouses stand…', 'placeholder'],
  );
  const answer = await stage.inference.asked(0);
  answer.say('Because of the wind.');
  answer.finish();
  const named = await window.until(
    (event) => event.type === 'chatChanged' && event.chat.titleSource === 'model',
  );
  assert.ok(named.type === 'chatChanged' && named.chat.title === 'Storms at sea');
  assert.deepEqual(
    window.events.flatMap((event) => (/generation/.test(event.type) ? [event.type] : [])),
    ['generationStarted', 'generationEnded'],
  );
  await ada.ok('PATCH /console/chats/:chatId', { chatId: chat.id, body: { title: 'My own words' } });
  await ada.ok('PATCH /console/account', { body: { preferences: { automaticTitles: false } } });
  window.close();
});

test('a temporary chat leaves nothing behind', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const messages = [{ role: 'user' as const, content: 'a secret' }];
  const before = stage.dump();
  const body = { messages, model, requestKey: 'temporary-click', systemPrompt: 'Be brief.' };
  const { generation } = await ada.ok('POST /console/generations/temporary', { body });
  const answer = await stage.inference.asked(0);
  assert.deepEqual(answer.ask.request['messages'], [{ role: 'system', content: 'Be brief.' }, ...messages]);
  const stream = ada.listenToAnswer(generation.id);
  await stream.until((event) => event.type === 'snapshot');
  answer.say('Hush.');
  answer.finish();
  await stream.over();
  assert.equal(replay(stream.events).content, 'Hush.');
  assert.equal(stage.dump(), before);
});

test('of sixty answers that one person asks for at once eight run, and a place that is free is given away', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const ask = (name: string) => ({
    body: {
      chatId: null,
      parentId: null,
      model,
      newMessages: [{ role: 'user', content: name }],
      requestKey: `sixty-at-once-${name}`,
    },
  });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => ada.call('POST /console/generations', ask(String(index)))),
  );
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [...Array<number>(8).fill(200), ...Array<number>(52).fill(429)]);
  assert.equal((await ada.ok('GET /console/generations')).generations.length, 8);
  assert.equal((await ada.ok('GET /console/chats')).chats.length, 8, 'what was refused has written nothing');
  (await stage.inference.asked(0)).finish();
  await waitUntil(
    'one has ended',
    async () => (await ada.ok('GET /console/generations')).generations.length === 7,
  );
  assert.equal((await ada.call('POST /console/generations', ask('sixty-first'))).status, 200);
  await ada.refused('POST /console/generations', 429, 'rate_limit_exceeded', ask('sixty-second'));
});

test('a cut answer goes on as the same message, and only the last one of its branch', async () => {
  await using stage = await startStage();
  const ada = await stage.arrive('Ada');
  const { chat, generation, messages } = await start(ada, 'Count to ten.');
  const chatId = chat.id;
  const read = async () => (await ada.ok('GET /console/chats/:chatId', { chatId })).messages;
  const ended = (state: string) =>
    waitUntil(`the answer is ${state}`, async () => {
      const last = (await read()).find(({ id }) => id === generation.messageId);
      return last?.state === state ? last : undefined;
    });
  const first = await stage.inference.asked(0);
  first.say('One to ten.');
  first.finish();
  await ended('complete');
  await ada.refused('POST /console/generations/continue', 409, 'conflict', {
    body: { chatId, messageId: generation.messageId, requestKey: 'not cut at all' },
  });
  const { messages: again } = await start(ada, '', { chatId, parentId: messages[0]!.id });
  const second = await stage.inference.asked(1);
  second.say('One, two, ');
  second.cut();
  const answerId = again.at(-1)!.id;
  const half = await waitUntil('the second answer is interrupted', async () => {
    const found = (await read()).find(({ id }) => id === answerId);
    return found?.state === 'interrupted' ? found : undefined;
  });
  const goOn = { body: { chatId, messageId: half.id, requestKey: 'go on, please' } };
  const continued = await ada.ok('POST /console/generations/continue', goOn);
  assert.equal(continued.generation.messageId, half.id);
  const third = await stage.inference.asked(2);
  const { messages: sent, continue_final_message: isContinued } = third.ask.request as unknown as {
    messages: { role: string; content: string }[];
    continue_final_message?: boolean;
  };
  assert.equal(isContinued, true);
  assert.deepEqual(sent.at(-1), { role: 'assistant', content: 'One, two,' });
  third.say(' three.');
  third.finish();
  const whole = await waitUntil('it is complete', async () => {
    const found = (await read()).find(({ id }) => id === half.id);
    return found?.state === 'complete' ? found : undefined;
  });
  assert.equal(whole.content, 'One, two, three.');
  assert.equal(whole.requestIds.length, 2);
  await ada.refused('POST /console/generations/continue', 409, 'conflict', {
    body: { ...goOn.body, requestKey: 'once more, please' },
  });
});
