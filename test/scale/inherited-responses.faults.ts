import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Gateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { ask, mark } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import {
  allWords,
  another,
  engine,
  everybody,
  headers,
  numbersIn,
  open,
  readOn,
  recordsOf,
  stopHeirs,
  witnessesOf,
  wordsIn,
} from './heirs.ts';

after(stopHeirs);

test('answers in the other dialects survive the death of their gateway too, and client libraries read them', async () => {
  const [one, two, three] = await everybody();
  const words = `${mark()} sim:frames=100 sim:think`;
  engine.control.everyGeneration = 'sim:every=150';
  const spoken = [
    { asked: 'responses', body: { model: 'm', stream: true, input: words } },
    { asked: 'messages', body: { model: 'm', stream: true, max_tokens: 4000, messages: ask(words) } },
  ];
  const broken = await Promise.all(
    spoken.map(({ asked, body }) =>
      openStream(`${two.url}/api/${asked}`, { headers: { ...headers, 'gatehouse-resume': '60' }, body }),
    ),
  );
  await Promise.all(broken.map((stream) => stream.untilFrames(20)));
  await witnessesOf(2, [one, three]);
  engine.control.everyGeneration = '';
  await two.kill();
  const whole: string[] = [];
  for (const one of broken) {
    await one.ended;
    const { stream, text } = await readOn(three, one);
    assert.equal(await stream.ended, 'complete');
    const all = text + stream.raw().toString();
    const again = await send(`${three.url}/api/streams/${String(one.headers['x-request-id'])}`, { headers });
    assert.equal(again.text, all, 'byte for byte');
    assert.deepEqual(
      numbersIn(all),
      numbersIn(all).map((_, index) => String(index + 1)),
    );
    whole.push(all);
  }
  const replayed = (text = '') => ({
    apiKey: 'none',
    baseURL: 'http://127.0.0.1:9',
    fetch: async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }),
  });
  const numbers: number[] = [];
  let said = '';
  const events = await new OpenAI(replayed(whole[0])).responses.create({
    model: 'm',
    input: '',
    stream: true,
  });
  for await (const event of events) {
    numbers.push(event.sequence_number);
    if (event.type === 'response.completed') said = event.response.output_text ?? wordsOf(event.response);
  }
  assert.deepEqual(numbers, [...numbers.keys()]);
  assert.equal(said, allWords(100));
  const { content } = await new Anthropic(replayed(whole[1])).messages
    .stream({ model: 'm', max_tokens: 1, messages: [] })
    .finalMessage();
  assert.deepEqual(
    content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
    [allWords(100)],
  );
  assert.equal(wordsIn(whole[1] ?? ''), allWords(100));
});

test('responses in the background survive the death of their gateway, once, and can be followed and cancelled', async () => {
  const [one, two, three] = await everybody();
  const before = (await recordsOf([])).map(({ request_id: id }) => id);
  const inBackground = async (base: string, words: string) => {
    const word = mark();
    const begun = await send(`${two.url}${base}`, {
      headers,
      body: { model: 'm', input: `${word} ${words}`, background: true },
    });
    assert.equal(begun.status, 200, begun.text);
    return { word, path: `${base}/${String(begun.json['id'])}` };
  };
  const read = async ({ url }: Gateway, { path }: { path: string }) =>
    (await send(`${url}${path}`, { headers })).json as unknown as OpenAI.Responses.Response;
  const endless = 'sim:frames=100000 sim:every=50';
  const [written, direct, followed, unwanted] = await Promise.all([
    inBackground('/api/responses', endless),
    inBackground('/m/v1/responses', endless),
    inBackground('/api/responses', `${endless} sim:think`),
    inBackground('/api/responses', endless),
  ]);
  await witnessesOf(4, [one, three]);
  const followers = await Promise.all(
    [one, three].map(({ url }) => openStream(`${url}${followed.path}?stream=true`, { headers })),
  );
  for (const follower of followers) await follower.untilFrames(10);
  await two.kill();
  const cancelled = await send(`${one.url}${unwanted.path}/cancel`, { method: 'POST', headers });
  assert.deepEqual([cancelled.status, cancelled.json['status']], [200, 'cancelled'], cancelled.text);
  for (const response of [written, direct, followed]) {
    const [, second] = await waitUntil('somebody goes on with it', () => {
      const generations = engine.marked(response.word);
      return generations.length >= 2 ? generations : undefined;
    });
    assert.equal((await read(three, response)).status, 'in_progress');
    second!.isToldToFinish = true;
    for (const gateway of [three, one]) {
      const said = await waitUntil('it has ended', async () => {
        const current = await read(gateway, response);
        assert.match(String(current.status), /^(?:in_progress|completed)$/);
        return current.status === 'completed' ? wordsOf(current) : undefined;
      });
      assert.equal(said, allWords(said.split(' ').length - 1), 'no gap, none twice');
    }
    assert.equal(engine.marked(response.word).length, 2, 'begun once, and gone on with once');
  }
  for (const follower of followers) {
    assert.equal(await follower.ended, 'complete', 'whoever follows it elsewhere notices nothing');
    const events = follower.frames().map((data) => JSON.parse(data ?? '') as Record<string, unknown>);
    assert.deepEqual(
      events.map(({ sequence_number: number }) => number),
      [...events.keys()],
    );
    assert.equal(events.at(-1)?.['type'], 'response.completed');
  }
  const again = await send(`${one.url}${written.path}?stream=true&starting_after=5`, { headers });
  assert.match(again.text, /"sequence_number":6,[^]*"type":"response.completed"/);
  assert.equal((await read(three, unwanted)).status, 'cancelled');
  await waitUntil('no engine writes it', () =>
    engine.marked(unwanted.word).every(({ state }) => state !== 'active'),
  );

  await everybody();
  const endings = async () => Map.groupBy(await recordsOf(before), ({ ending }) => ending);
  const { completed } = await waitUntil('all parts are on the books', async () => {
    const by = await endings();
    const isWhole = by.get('completed')?.length === 3 && by.get('interrupted')?.length === 4;
    return isWhole ? { completed: by.get('completed')! } : undefined;
  });
  assert.deepEqual(
    completed.map(({ input }) => Number(input)),
    [0, 0, 0],
    'the prompt counts once',
  );
});

test('a gateway that is stopped hands on what it could not write to the end, and nobody loses a word', async () => {
  const [one, two, three] = await everybody();
  const [word, other, third] = [mark(), mark(), mark()];
  const endless = 'sim:frames=100000 sim:every=50';
  const direct = await open(one, `${word} ${endless}`);
  const lost = await open(one, `${other} ${endless}`);
  const background = await send(`${one.url}/api/responses`, {
    headers,
    body: { model: 'm', input: `${third} ${endless}`, background: true },
  });
  await Promise.all([direct, lost].map((stream) => stream.untilFrames(5)));
  await witnessesOf(3, [two, three]);
  lost.leave();
  const { stream: elsewhere, text: before } = await readOn(two, lost);
  await elsewhere.untilFrames(5);
  await one.stop();
  assert.equal(await direct.ended, 'broken', 'not ended as if that were all');
  assert.doesNotMatch(direct.raw().toString(), /"error"/);
  const { stream, text } = await readOn(three, direct);
  for (const each of [word, other, third]) {
    const [, second] = await waitUntil('somebody goes on with it', () => {
      const generations = engine.marked(each);
      return generations.length >= 2 ? generations : undefined;
    });
    second!.isToldToFinish = true;
  }
  assert.equal(await stream.ended, 'complete');
  assert.equal(await elsewhere.ended, 'complete', 'whoever reads it elsewhere notices nothing');
  for (const whole of [text + stream.raw().toString(), before + elsewhere.raw().toString()]) {
    const words = wordsIn(whole);
    assert.equal(words, allWords(words.split(' ').length - 1), 'no gap, none twice');
    assert.match(whole, /"gatehouse":\{"continuations":1\}[^]*data: \[DONE\]\n\n$/);
  }
  await waitUntil('the response is written', async () => {
    const path = `/api/responses/${String(background.json['id'])}`;
    return (await send(`${three.url}${path}`, { headers })).json['status'] === 'completed';
  });
  for (const each of [word, other, third]) assert.equal(engine.marked(each).length, 2, 'by one, once');
});

test('after a stop of all gateways the first that is back goes on with the responses of all, whoever had them', async () => {
  const gateways = await everybody();
  const words = gateways.map(() => mark());
  const paths = await Promise.all(
    gateways.map(async ({ url }, index) => {
      const body = { model: 'm', input: `${words[index]} sim:frames=100000 sim:every=50`, background: true };
      const { json } = await send(`${url}/api/responses`, { headers, body });
      return `/api/responses/${String(json['id'])}`;
    }),
  );
  for (const word of words)
    await waitUntil('an engine writes it', () => engine.marked(word)[0]?.progress.framesWritten);
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  const back = await another();
  for (const [index, path] of paths.entries()) {
    const second = await waitUntil('it goes on', () =>
      engine.marked(words[index] ?? '').find(({ state }) => state === 'active'),
    );
    second.isToldToFinish = true;
    const response = await waitUntil('it is written', async () => {
      const { json } = await send(`${back.url}${path}`, { headers });
      assert.match(String(json['status']), /^(?:queued|in_progress|completed)$/, JSON.stringify(json));
      return json['status'] === 'completed' ? (json as unknown as OpenAI.Responses.Response) : undefined;
    });
    const said = wordsOf(response);
    assert.equal(said, allWords(said.split(' ').length - 1), 'no gap, none twice');
  }
});

function wordsOf({ output }: OpenAI.Responses.Response): string {
  return output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('');
}
