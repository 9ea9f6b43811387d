import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type OpenAI from 'openai';
import type { Gateway } from '#harness/gateway';
import { begin, openStream, type ReceivedStream, send } from '#harness/http-client';
import { ask, mark } from '#harness/service';
import { waitUntil } from '#harness/wait-until';
import {
  allWords,
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

test('an answer survives the death of its gateway, and of the one that went on with it, and counts once', async () => {
  const before = (await recordsOf([])).map(({ request_id: id }) => id);
  const [one, two, three] = await everybody();
  engine.control.everyGeneration = 'sim:every=200';
  const broken = await open(one, 'sim:frames=120', { stream_options: { include_usage: true } });
  assert.equal(broken.headers['gatehouse-resume'], '60');
  await broken.untilFrames(8);
  const [heir] = await witnessesOf(1, [two, three]);
  const last = heir === two ? three : two;
  await one.kill();
  assert.equal(await broken.ended, 'broken');
  const second = await readOn(last, broken);
  assert.equal(second.stream.status, 200);
  await second.stream.untilFrames(8);
  await witnessesOf(1, [last]);
  engine.control.everyGeneration = '';
  await heir?.kill();
  assert.equal(await second.stream.ended, 'complete', 'whoever reads it elsewhere notices nothing');
  const whole = second.text + second.stream.raw().toString();
  assert.equal(wordsIn(whole), allWords(120));
  assert.deepEqual(
    numbersIn(whole),
    numbersIn(whole).map((_, index) => String(index + 1)),
    'no gap, none twice',
  );
  assert.ok(whole.endsWith('data: [DONE]\n\n'));
  assert.match(whole, /"gatehouse":\{"continuations":2\}/);
  assert.match(whole, /"completion_tokens":120\b/);

  // What they had in hand is on the books when their journals have been read.
  await everybody();
  const records = await waitUntil('all three parts are on the books', async () => {
    const rows = await recordsOf(before);
    return rows.length >= 3 ? rows : undefined;
  });
  assert.equal(records[0]?.request_id, broken.headers['x-request-id']);
  assert.deepEqual(
    records.map(({ ending }) => ending),
    ['interrupted', 'interrupted', 'completed'],
  );
  assert.deepEqual(
    records.slice(1).map(({ input }) => Number(input)),
    [0, 0],
    'the prompt counts once',
  );
  const output = records.reduce((sum, row) => sum + Number(row.output), 0);
  assert.ok(output <= 120, `${output} tokens, of 120 that were written`);
  assert.ok(Number(records[2]?.output) > 0);
});

test('an answer survives even if its gateway and its heir die in the same moment, and is written once', async () => {
  const [one, two, three] = await everybody();
  const word = mark();
  const broken = await open(one, `${word} sim:frames=100000 sim:every=50`);
  await broken.untilFrames(5);
  const [heir] = await witnessesOf(1, [two, three]);
  const [spare] = await witnessesOf(1, [two, three], 'spared');
  assert.notEqual(heir, spare);
  await Promise.all([one.kill(), heir?.kill()]);
  assert.equal(await broken.ended, 'broken');
  const { stream, text } = await readOn(spare!, broken);
  assert.equal(stream.status, 200);
  const [, second] = await waitUntil('somebody goes on with it', () => {
    const generations = engine.marked(word);
    return generations.length >= 2 ? generations : undefined;
  });
  second!.isToldToFinish = true;
  assert.equal(await stream.ended, 'complete');
  const whole = text + stream.raw().toString();
  const words = wordsIn(whole);
  assert.equal(words, allWords(words.split(' ').length - 1), 'no gap, none twice');
  assert.ok(whole.endsWith('data: [DONE]\n\n'));
  await everybody();
  assert.equal(engine.marked(word).length, 2);
});

test('an answer that was admitted goes on elsewhere, whatever limit of its caller it fills', async () => {
  const [one, two, three] = await everybody();
  const asked: { authorization: string; stream: ReceivedStream }[] = [];
  for (const name of ['mia', 'ben']) {
    const { secret } = await one.createKey({ email: `${name}@example.org`, project: 'narrow' });
    const authorization = `Bearer ${secret}`;
    for (const { url } of [two, three])
      await waitUntil('the key is known', async () => {
        return (await send(`${url}/api/models`, { headers: { authorization } })).status === 200;
      });
    asked.push({
      authorization,
      stream: await openStream(`${one.url}/api/chat/completions`, {
        headers: { authorization, 'gatehouse-resume': '60' },
        body: {
          model: 'm',
          stream: true,
          max_tokens: 200,
          messages: ask(`${mark()} sim:frames=200 sim:every=100`),
        },
      }),
    });
  }
  for (const { stream } of asked) await stream.untilFrames(5);
  await witnessesOf(2, [two, three]);
  await one.kill();
  for (const { authorization, stream } of asked) {
    assert.equal(await stream.ended, 'broken');
    const id = String(stream.headers['x-request-id']);
    const whole = await openStream(`${two.url}/api/streams/${id}`, { headers: { authorization } });
    assert.equal(await whole.ended, 'complete');
    const text = whole.raw().toString();
    assert.equal(wordsIn(text), allWords(200), text.slice(-400));
    const next = await send(`${two.url}/api/chat/completions`, {
      headers: { authorization },
      body: { model: 'm', messages: ask('hello') },
    });
    assert.equal(next.status, 429, 'it counts all the same');
  }
});

test('what was finished is read as it was; with what nobody can go on ends with an honest error', async () => {
  const [one, two, three] = await everybody();
  const finished = await open(one, 'sim:frames=5');
  assert.equal(await finished.ended, 'complete');
  const withNumbers = await open(one, 'sim:frames=100000 sim:every=50', { logprobs: true });
  const response = await openStream(`${one.url}/api/responses`, {
    headers: { ...headers, 'gatehouse-resume': '60' },
    body: {
      model: 'm',
      stream: true,
      input: `${mark()} sim:frames=100000 sim:every=50`,
      include: ['message.output_text.logprobs'],
    },
  });
  await Promise.all([withNumbers, response].map((stream) => stream.untilFrames(5)));
  await witnessesOf(3, [two, three]);
  await one.kill();
  await Promise.all([withNumbers.ended, response.ended]);
  const again = await openStream(`${two.url}/api/streams/${String(finished.headers['x-request-id'])}`, {
    headers,
  });
  assert.equal(await again.ended, 'complete');
  assert.equal(again.raw().toString(), finished.raw().toString(), 'byte for byte');
  const { stream, text } = await readOn(three, withNumbers);
  assert.equal(await stream.ended, 'complete');
  assert.match(stream.raw().toString(), /"code":"stream_not_kept"[^]*data: \[DONE\]\n\n$/);
  const whole = text + stream.raw().toString();
  assert.deepEqual(
    numbersIn(whole),
    numbersIn(whole).map((_, index) => String(index + 1)),
  );
  const failed = await readOn(two, response);
  assert.equal(await failed.stream.ended, 'complete');
  assert.match(
    failed.stream.raw().toString(),
    /\nevent: response\.failed\ndata: [^\n]*"status":"failed"[^\n]*\n\n$/,
    'in its own dialect',
  );
  const stranger = await send(`${two.url}/peer/witness/somebody?nonce=1`, {
    headers: { 'gatehouse-peer': 'x' },
  });
  assert.equal(stranger.status, 403, 'nobody else hears what is written');
});

test('an answer with a name is written once wherever it is asked for, and survives a death before its beginning', async () => {
  const [, two, three] = await everybody();
  const named = (words: string, more: object = {}) => {
    const word = mark();
    const asked = {
      headers: { ...headers, 'gatehouse-resume': `60; name=${mark()}-answer` },
      body: { model: 'm', stream: true, messages: ask(`${word} ${words}`), ...more },
    };
    return { word, asked, at: ({ url }: Gateway) => send(`${url}/api/chat/completions`, asked) };
  };
  const everywhere = named('sim:slow=200 sim:frames=30 sim:every=10');
  // The newest reader has it: an older one may get nothing.
  await Promise.allSettled([two, three, two, three].map(everywhere.at));
  const whole = (await everywhere.at(two)).text;
  assert.equal((await everywhere.at(three)).text, whole);
  assert.equal(wordsIn(whole), allWords(30));
  assert.equal(engine.marked(everywhere.word).length, 1, 'one generation');

  const piece = named('sim:slow=500 sim:frames=30', { stream: false });
  const both = await Promise.allSettled([two, three].map(piece.at));
  const inOnePiece = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value.text] : [])).at(-1);
  assert.match(inOnePiece ?? '', /^\{.*\}$/s);
  assert.equal((await piece.at(two)).text, inOnePiece);
  assert.equal((await piece.at(three)).text, inOnePiece);
  assert.equal(engine.marked(piece.word).length, 1, 'one generation');

  const early = named('sim:slow=1500 sim:frames=30');
  const lost = begin(`${two.url}/api/chat/completions`, early.asked).catch(() => undefined);
  await waitUntil('an engine has it', () => engine.marked(early.word).length === 1);
  await two.kill();
  (await lost)?.destroy();
  const answer = (await early.at(three)).text;
  assert.equal(wordsIn(answer), allWords(30));
  assert.match(answer, /^id: 1\n[^]*data: \[DONE\]\n\n$/);
  assert.equal((await piece.at(three)).text, inOnePiece, 'what was written outlives its gateway');
  assert.equal(engine.marked(piece.word).length, 1);
});

test('an embedded engine of the heir writes an answer again to the letter, though its caller chose no seed', async () => {
  const [one, two, three] = await everybody();
  const body = { model: 'tiny', messages: ask('Tell me a story.'), max_tokens: 300, ignore_eos: true };
  const wholeText = async ({ url }: Gateway, more: object) => {
    const { json } = await send(`${url}/api/chat/completions`, { headers, body: { ...body, ...more } });
    return (json as unknown as OpenAI.ChatCompletion).choices[0]?.message.content;
  };
  for (const gateway of [one, two, three])
    assert.ok(await wholeText(gateway, { max_tokens: 2 }), 'its engine is loaded');
  const broken = await open(one, '', body);
  await broken.untilFrames(5);
  await witnessesOf(1, [two, three]);
  await one.kill();
  await broken.ended;
  const { stream, text } = await readOn(three, broken);
  assert.equal(await stream.ended, 'complete');
  const whole = text + stream.raw().toString();
  assert.match(whole, /"gatehouse":\{"continuations":1\}/);
  const said = whole
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as OpenAI.ChatCompletionChunk)
    .map(({ choices: [choice] }) => choice?.delta.content ?? '')
    .join('');
  // As receipts tell it: from the end of the id of the request.
  const seed = Number.parseInt(String(broken.headers['x-request-id']).slice(-8), 16) & 0x7fff_ffff;
  assert.equal(said, await wholeText(two, { seed }));
  assert.notEqual(said, await wholeText(two, { seed: seed + 1 }));
});
