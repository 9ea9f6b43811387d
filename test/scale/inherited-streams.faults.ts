import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { Client } from 'pg';
import { type Gateway, startGateway } from '#harness/gateway';
import { begin, openStream, type ReceivedStream, send } from '#harness/http-client';
import { startPostgres } from '#harness/postgres';
import { ask, mark } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';

/** Three real gateways on one real PostgreSQL; one after the other is killed while it writes for somebody. */
const postgres = await startPostgres();
const database = await postgres.createDatabase();
const engine = await startSimulatedEngine({ flavour: 'vllm', models: ['m'] });
const modelFile = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));
const settings = {
  listen: '127.0.0.1:0',
  database,
  service: 'campus',
  drain: '1s',
  log: { level: 'info', format: 'json' },
  engines: [
    { name: 'one', kind: 'vllm', url: engine.url },
    { name: 'own', kind: 'embedded', modelFile, threads: 1, gpu: 'off', context: 1024, start: 'demand' },
  ],
  models: [
    { id: 'm', engines: ['one'], tools: true },
    { id: 'tiny', engines: ['own'] },
  ],
};
const home = mkdtempSync(join(tmpdir(), 'gatehouse-heirs-'));
const start = (name: string) => {
  mkdirSync(join(home, name), { recursive: true });
  return startGateway({ settings, dataDir: join(home, name) });
};
const names = ['one', 'two', 'three'];
const gateways: Gateway[] = [];
for (const name of names) gateways.push(await start(name));
after(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await engine.stop();
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
});
const { secret } = await gateways[0]!.createKey({ email: 'ada@example.org' });
const headers = { authorization: `Bearer ${secret}` };
for (const { url } of gateways)
  await waitUntil(
    'the key is known',
    async () => (await send(`${url}/api/models`, { headers })).status === 200,
  );

function open(gateway: Gateway, words: string, more: object = {}): Promise<ReceivedStream> {
  return openStream(`${gateway.url}/api/chat/completions`, {
    headers: { ...headers, 'gatehouse-resume': '60' },
    body: { model: 'm', stream: true, messages: ask(`${mark()} ${words}`), ...more },
  });
}

async function witnessesOf(
  answers: number,
  among: readonly Gateway[],
  role = 'witnessed',
): Promise<Gateway[]> {
  const of = async (gateway: Gateway) => {
    const text = await (await fetch(gateway.metricsUrl)).text();
    return Number(new RegExp(`^gatehouse_streams_${role} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  return await waitUntil('the answers have witnesses', async () => {
    const known = await Promise.all(among.map(of));
    const all = known.reduce((sum, count) => sum + count, 0);
    return all >= answers ? among.filter((_, index) => (known[index] ?? 0) > 0) : undefined;
  });
}

/** Whole frames only: what a client knows that counts them. */
function seen(stream: ReceivedStream): { text: string; last: string } {
  const raw = stream.raw().toString();
  const text = raw.slice(0, raw.lastIndexOf('\n\n') + 2);
  return { text, last: numbersIn(text).at(-1) ?? '0' };
}

const numbersIn = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => number ?? '');
const wordsIn = (text: string) => text.match(/w\d+ /g)?.join('') ?? '';
const allWords = (count: number) => Array.from({ length: count }, (_, index) => `w${index} `).join('');

async function readOn(
  gateway: Gateway,
  broken: ReceivedStream,
): Promise<{ stream: ReceivedStream; text: string }> {
  const { text, last } = seen(broken);
  const stream = await openStream(`${gateway.url}/api/streams/${String(broken.headers['x-request-id'])}`, {
    headers: { ...headers, 'last-event-id': last },
  });
  return { stream, text };
}

async function recordsOf(ids: readonly unknown[]) {
  const client = new Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<Record<'request_id' | 'ending' | 'input' | 'output', string>>(
    'SELECT request_id, ending, input_tokens AS input, output_tokens AS output FROM usage_records WHERE NOT request_id = ANY($1) ORDER BY started_at',
    [ids],
  );
  await client.end();
  return rows;
}

test('an answer survives the death of its gateway, and of the one that went on with it, and counts once', async () => {
  const before = (await recordsOf([])).map(({ request_id: id }) => id);
  const [one, two, three] = gateways as [Gateway, Gateway, Gateway];
  const broken = await open(one, 'sim:frames=120 sim:every=50', { stream_options: { include_usage: true } });
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
  for (const [index, gateway] of gateways.entries())
    if (gateway !== last) gateways[index] = await start(names[index]!);
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
  const [one, two, three] = gateways as [Gateway, Gateway, Gateway];
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
  for (const [index, gateway] of gateways.entries())
    if (gateway !== spare) gateways[index] = await start(names[index]!);
  assert.equal(engine.marked(word).length, 2);
});

test('what was finished is read as it was; with what nobody can go on ends with an honest error', async () => {
  const [one, two, three] = gateways as [Gateway, Gateway, Gateway];
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
  const [, two, three] = gateways as [Gateway, Gateway, Gateway];
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

test('answers in the other dialects survive the death of their gateway too, and client libraries read them', async () => {
  const two = (gateways[1] = await start('two'));
  const three = gateways[2]!;
  const words = `${mark()} sim:frames=100 sim:every=50 sim:think`;
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
  await witnessesOf(2, [three]);
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

function wordsOf({ output }: OpenAI.Responses.Response): string {
  return output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('');
}

test('responses in the background survive the death of their gateway, once, and can be followed and cancelled', async () => {
  for (const [index, name] of ['one', 'two'].entries()) {
    await gateways[index]?.kill();
    gateways[index] = await start(name);
  }
  const [one, two, three] = gateways as [Gateway, Gateway, Gateway];
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

  gateways[1] = await start('two');
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
  const [one, two, three] = gateways as [Gateway, Gateway, Gateway];
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
  gateways[0] = await start('one');
});

test('an embedded engine of the heir writes an answer again to the letter, though its caller chose no seed', async () => {
  const [one, two, three] = gateways as [Gateway, Gateway, Gateway];
  const body = { model: 'tiny', messages: ask('Tell me a story.'), max_tokens: 300, ignore_eos: true };
  const wholeText = async ({ url }: Gateway, more: object) => {
    const { json } = await send(`${url}/api/chat/completions`, { headers, body: { ...body, ...more } });
    return (json as unknown as OpenAI.ChatCompletion).choices[0]?.message.content;
  };
  for (const gateway of gateways)
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
