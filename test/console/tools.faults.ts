import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '#harness/wait-until';
import { ask, decide, over, questionIn, read, startToolStage } from './tool-stage.ts';

test('calls that a killed gateway left behind are interrupted, and the chats go on', async () => {
  await using stage = await startToolStage();
  const { person } = stage;
  const asked = await ask(person, 'use lookup quince');
  await questionIn(person, asked);
  const running = await ask(person, 'use slow it');
  await decide(person, await questionIn(person, running), 'once');
  // Only what is written down can be found again.
  await waitUntil('the decision is written down', async () => {
    const call = (await read(person, running)).at(-1);
    return call?.tool?.consent === 'once';
  });
  await stage.killAndStartAgain();
  for (const chatId of [asked, running]) {
    const call = (await read(person, chatId)).at(-1);
    assert.deepEqual([call?.role, call?.state, call?.generationId], ['tool', 'interrupted', null]);
  }
  await ask(person, 'use lookup pear', { id: asked });
  await decide(person, await questionIn(person, asked), 'once');
  const messages = await over(person, asked);
  assert.match(messages.at(-2)?.content ?? '', /^pear/);
  const last = JSON.parse(stage.engine.asked.at(-1)?.body.toString() ?? '') as {
    messages: { role: string; content: string }[];
  };
  const results = last.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  assert.deepEqual(results, ['No result was given.', 'pear: a yellow fruit of the old garden.']);
});
