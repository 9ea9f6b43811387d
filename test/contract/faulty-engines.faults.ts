import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { ask } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';

/** One model on a good and a bad engine, one on an engine alone. */
const good = await startSimulatedEngine({ flavour: 'vllm', models: ['twin', 'alone'] });
const bad = await startSimulatedEngine({ flavour: 'vllm', models: ['twin'] });
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    engines: [
      { name: 'bad', kind: 'vllm', url: bad.url },
      { name: 'good', kind: 'vllm', url: good.url },
    ],
    models: [
      { id: 'twin', engines: ['bad', 'good'] },
      { id: 'alone', engines: ['good'] },
    ],
  },
});
after(async () => {
  await gateway.stop();
  await Promise.all([good.stop(), bad.stop()]);
});
const post = (words: string, model = 'twin') =>
  send(`${gateway.url}/${model}/v1/chat/completions`, { body: { model, messages: ask(words) } });

for (const fault of ['sim:status=500', 'sim:nonsense', 'sim:status=302']) {
  test(`an engine that answers at once with ${fault} draws no traffic and nobody notices`, async () => {
    bad.control.everyGeneration = fault;
    const before = bad.asked.length;
    const logged = gateway.logs().length;
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => post('hello')));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    }
    const drawn = bad.asked.length - before;
    assert.ok(drawn <= 25, `the faulty engine drew ${drawn} of 100`);
    await waitUntil('it is put aside', () => gateway.logs().slice(logged).includes('engine put aside'));
    bad.control.everyGeneration = '';
    await waitUntil('it is back', () => gateway.logs().slice(logged).includes('back in service'));
  });
}

test('what is no answer is a fault of the engine, told in our own words', async () => {
  const answer = await post('sim:nonsense', 'alone');
  assert.deepEqual([answer.status, answer.error.code], [502, 'engine_failed']);
  assert.ok(!answer.text.includes('html'), answer.text);
});

test('an engine whose process is stopped is noticed within seconds, and its streams end', async () => {
  const url = `${gateway.url}/alone/v1/chat/completions`;
  const stream = await openStream(url, {
    body: { model: 'alone', stream: true, messages: ask('sim:hang-after=2') },
  });
  await stream.untilFrames(1);
  good.control.health = 'hang';
  const ended = await Promise.race([
    stream.ended,
    new Promise((resolve) => setTimeout(resolve, 25_000, 'still waiting').unref()),
  ]);
  assert.equal(ended, 'complete');
  assert.match(JSON.stringify(stream.chunks().at(-1)), /engine_failed|engine_timeout/);
  good.control.health = 'ok';
});
