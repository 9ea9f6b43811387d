import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startGateway } from '#harness/gateway';
import { begin, openStream, send } from '#harness/http-client';
import { ask, mark } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';
import { Visitor } from '../console/visitor.ts';

const engine = await startSimulatedEngine({ flavour: 'vllm', models: ['m'] });
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    engines: [{ name: 'one', kind: 'vllm', url: engine.url }],
    models: [{ id: 'm', engines: ['one'] }],
    limits: { resume: { longest: '1m', maxPerKey: 5, bytesPerKey: '64KiB' } },
  },
});
after(async () => {
  await gateway.stop();
  await engine.stop();
});
const mine = await gateway.createKey({ email: 'ada@example.org' });
const sameOwner = await gateway.createKey({ email: 'ada@example.org' });
const stranger = await gateway.createKey({ email: 'eve@example.org' });
const bearer = (key: { secret: string }) => ({ authorization: `Bearer ${key.secret}` });

function open(words: string, seconds: string | undefined, key = mine) {
  return openStream(`${gateway.url}/api/chat/completions`, {
    headers: { ...bearer(key), ...(seconds === undefined ? {} : { 'gatehouse-resume': seconds }) },
    body: { model: 'm', stream: true, messages: ask(words) },
  });
}

function comeBack(id: unknown, lastId: number | string | undefined, key = mine) {
  return openStream(`${gateway.url}/api/streams/${String(id)}`, {
    headers: { ...bearer(key), ...(lastId === undefined ? {} : { 'last-event-id': String(lastId) }) },
  });
}

/** The bytes up to and with this frame. */
function upTo(text: string, id: number): string {
  return text.slice(0, text.indexOf(`id: ${id + 1}\n`));
}

const metric = async (name: string) => {
  const text = await (await fetch(gateway.metricsUrl)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
};

test('whoever is cut off reads the rest, byte for byte, and pays once', async () => {
  const word = mark();
  const first = await open(`${word} sim:frames=40 sim:every=10`, '30');
  assert.equal(first.headers['gatehouse-resume'], '30');
  await first.untilFrames(5);
  first.leave();
  await first.ended;
  const id = first.headers['x-request-id'];
  const rest = await comeBack(id, 5);
  assert.equal(await rest.ended, 'complete');
  const whole = await comeBack(id, undefined, sameOwner);
  assert.equal(await whole.ended, 'complete');
  const text = whole.raw().toString();
  assert.equal(upTo(text, 5) + rest.raw().toString(), text);
  assert.equal(text.startsWith(upTo(first.raw().toString(), 4)), true);
  assert.equal(
    whole
      .chunks()
      .flatMap(({ choices }) => choices.map(({ delta }) => delta['content'] as string))
      .join(''),
    Array.from({ length: 40 }, (_, index) => `w${index} `).join(''),
  );
  assert.equal(whole.frames().at(-1), '[DONE]');
  assert.equal(engine.marked(word).length, 1);
  assert.equal(engine.marked(word)[0]!.state, 'completed');
  await waitUntil('the books have it once, complete', () => {
    const rows = gateway.usageRecords().filter(({ request_id: requestId }) => requestId === id);
    return rows.length === 1 && rows[0]!.ending === 'completed' && rows[0]!.output_tokens === 40;
  });
  assert.ok((await metric('gatehouse_streams_resumed_total')) >= 2);
});

test('a reader who comes back before the cut is noticed takes over', async () => {
  const word = mark();
  const first = await open(`${word} sim:frames=100000 sim:every=10`, '30');
  await first.untilFrames(3);
  const second = await comeBack(first.headers['x-request-id'], 3);
  await second.untilFrames(2);
  assert.equal(await first.ended, 'broken');
  engine.marked(word)[0]!.isToldToFinish = true;
  assert.equal(await second.ended, 'complete');
  assert.match(second.raw().toString(), /^id: 4\n/);
  assert.equal(engine.marked(word)[0]!.state, 'completed');
});

test('nobody else learns that there is a stream, while it is written and later, whatever they show', async () => {
  const word = mark();
  const name = `named-${word.slice(-8)}`;
  const first = await openStream(`${gateway.url}/api/chat/completions`, {
    headers: { ...bearer(mine), 'gatehouse-resume': `30; name=${name}` },
    body: { model: 'm', stream: true, messages: ask(`${word} sim:frames=100000 sim:every=10`) },
  });
  await first.untilFrames(2);
  const id = String(first.headers['x-request-id']);
  const link = /#link=(\S+)/.exec(
    (await gateway.command('people', 'sign-in-link', 'eve@example.org')).stdout,
  );
  const eve = new Visitor(gateway.url);
  await eve.ok('POST /console/sign-in/link', { body: { token: link?.[1] ?? '' } });
  const cookie = [...eve.cookies].map((pair) => pair.join('=')).join('; ');
  const refusal = async (path: string, headers: Record<string, string>) => {
    const { status, error, text } = await send(gateway.url + path, { headers });
    assert.doesNotMatch(text, /w0 /);
    return [status, error.code, error.message.replace(path, '')];
  };
  const look = async () => {
    const nobodys = await refusal('/api/streams/01890000-0000-7000-8000-000000000000', bearer(mine));
    for (const asked of [id, name]) {
      assert.deepEqual(await refusal(`/api/streams/${asked}`, bearer(stranger)), nobodys);
      for (const headers of [{}, { cookie }])
        assert.equal((await refusal(`/api/streams/${asked}`, headers))[0], 401);
      const direct = await refusal(`/m/v1/streams/${asked}`, {});
      assert.deepEqual([direct[0], direct], [404, await refusal('/m/v1/streams/none', {})]);
    }
    assert.equal(nobodys[0], 404);
  };
  await look();
  engine.marked(word)[0]!.isToldToFinish = true;
  assert.equal(await first.ended, 'complete', 'nobody took it from its reader');
  await look();
});

test('bad numbers are refused, and frames that never were', async () => {
  const first = await open(`${mark()} sim:frames=3`, '30');
  await first.ended;
  const id = first.headers['x-request-id'];
  const statusOf = async (last: string) => (await comeBack(id, last)).status;
  assert.deepEqual([await statusOf('x'), await statusOf('-1'), await statusOf('999')], [400, 400, 410]);
  assert.equal((await open('hello', 'soon')).status, 400);
});

test('who does not ask is cancelled at once, and frames are as ever', async () => {
  const word = mark();
  const plain = await open(`${word} sim:frames=100000 sim:every=10`, undefined);
  await plain.untilFrames(2);
  plain.leave();
  await waitUntil('the generation is cancelled', () => engine.marked(word)[0]?.state === 'aborted');
  assert.doesNotMatch(plain.raw().toString(), /^id:/m);
  assert.equal(plain.headers['gatehouse-resume'], undefined);
  assert.equal((await comeBack(plain.headers['x-request-id'], 0)).status, 404);
});

test('nobody comes back: the generation ends, and is charged for what it wrote', async () => {
  const word = mark();
  const lost = await open(`${word} sim:frames=4000 sim:every=10`, '1', stranger);
  await lost.untilFrames(2);
  lost.leave();
  await waitUntil('the generation is cancelled', () => engine.marked(word)[0]?.state === 'aborted');
  assert.ok(engine.marked(word)[0]!.progress.framesWritten > 20, 'it went on for a second');
  await waitUntil('it is counted', async () => (await metric('gatehouse_streams_abandoned_total')) === 1);
  const id = lost.headers['x-request-id'];
  await waitUntil('the books know', () =>
    gateway.usageRecords().some((row) => row.request_id === id && row.ending === 'caller-left'),
  );
});

test('what is kept is bounded for each key in number and bytes', async () => {
  const other = await gateway.createKey({ email: 'bo@example.org' });
  const streams = [];
  for (let index = 0; index < 6; index++)
    streams.push(await open(`${mark()} sim:frames=4000 sim:every=10`, '60', other));
  assert.deepEqual(
    streams.map(({ headers }) => headers['gatehouse-resume']),
    ['60', '60', '60', '60', '60', '0'],
  );
  for (const stream of streams) stream.leave();
  const large = await gateway.createKey({ email: 'cy@example.org' });
  const word = mark();
  const lost = await open(`${word} sim:frames=4000 sim:every=1`, '60', large);
  await lost.untilFrames(2);
  lost.leave();
  await waitUntil('there is no more room for it', () => engine.marked(word)[0]?.state === 'aborted');
  const rest = await comeBack(lost.headers['x-request-id'], 2, large);
  await rest.ended;
  assert.equal(rest.chunks().at(-1)?.error?.code, 'stream_not_kept');
  assert.ok((await metric('gatehouse_kept_stream_bytes')) < 200_000);
});

test('whoever names an answer gets one and the same, however often they ask, also before it begins', async () => {
  const [word, name] = [mark(), `answer-${mark()}`];
  const asked = {
    headers: { ...bearer(mine), 'gatehouse-resume': `30; name=${name}` },
    body: { model: 'm', stream: true, messages: ask(`${word} sim:slow=300 sim:frames=20 sim:every=10`) },
  };
  const url = `${gateway.url}/api/chat/completions`;
  const left = new AbortController();
  const early = begin(url, asked, left.signal);
  await waitUntil('an engine has it', () => engine.marked(word).length === 1);
  left.abort();
  await early.then(
    (answer) => answer.destroy(),
    () => {},
  );
  // The newest reader has it; an older one may be gone before its answer begins.
  const together = await Promise.allSettled([send(url, asked), send(url, asked)]);
  const [whole = ''] = together.flatMap((one) =>
    one.status === 'fulfilled' && one.value.text.endsWith('data: [DONE]\n\n') ? [one.value.text] : [],
  );
  assert.match(whole, /^id: 1\n/);
  assert.equal((await send(url, asked)).text, whole, 'also when it is over');
  const rest = await send(url, { ...asked, headers: { ...asked.headers, 'last-event-id': '7' } });
  assert.equal(upTo(whole, 7) + rest.text, whole);
  assert.equal(await (await comeBack(name, undefined)).ended, 'complete');
  assert.equal(engine.marked(word).length, 1, 'one generation');

  const otherQuestion = { ...asked, body: { ...asked.body, seed: 7 } };
  const refused = await send(url, otherQuestion);
  assert.deepEqual([refused.status, refused.error.param], [409, 'Gatehouse-Resume']);
  const theirs = { ...asked, headers: { ...asked.headers, ...bearer(sameOwner) } };
  assert.notEqual((await send(url, theirs)).text, whole, 'a name belongs to a key');
  assert.equal(engine.marked(word).length, 2);
});

test('a name that nobody can have is refused; one whose answer failed is free, and lost frames are not made up', async () => {
  const url = `${gateway.url}/api/chat/completions`;
  const word = mark();
  const named = (name: string, words: string, more = {}) =>
    send(url, {
      headers: { ...bearer(mine), 'gatehouse-resume': `30; name=${name}`, ...more },
      body: { model: 'm', stream: true, messages: ask(`${word} ${words}`) },
    });
  for (const name of ['short', 'x'.repeat(65), 'with blank', 'ümlaut-name'])
    assert.equal((await named(name, 'hello')).status, 400, name);
  const name = `answer-${mark()}`;
  assert.equal((await named(name, 'sim:status=400')).status, 400);
  assert.equal((await named(name, 'sim:frames=3')).status, 200);
  const lost = await named(`answer-${mark()}`, 'sim:frames=3', { 'last-event-id': '5' });
  assert.deepEqual([lost.status, lost.error.code], [410, 'stream_not_kept']);
  assert.equal(engine.marked(word).length, 1, 'one was refused, one written');
});

test('an answer in one piece with a name is generated once too, however often its caller loses the connection', async () => {
  const [word, name] = [mark(), `answer-${mark()}`];
  const key = await gateway.createKey({ email: 'bob@example.org' });
  for (const [path, question] of [
    ['chat/completions', { messages: ask(`${word} sim:slow=500 sim:frames=20`) }],
    ['messages', { messages: ask(`${word} sim:slow=500`), max_tokens: 100 }],
  ] as const) {
    const asked = {
      headers: { ...bearer(key), 'gatehouse-resume': `30; name=${name}-${path.length}` },
      body: { model: 'm', ...question },
    };
    const url = `${gateway.url}/api/${path}`;
    const before = engine.marked(word).length;
    const left = new AbortController();
    const early = begin(url, asked, left.signal);
    await waitUntil('an engine has it', () => engine.marked(word).length === before + 1);
    left.abort();
    await early.then(
      (answer) => answer.destroy(),
      () => {},
    );
    const first = await send(url, asked);
    assert.deepEqual([first.status, first.headers['gatehouse-resume']], [200, '30'], first.text);
    assert.match(first.text, /^\{.*\}$/s);
    const again = await send(url, asked);
    assert.equal(again.text, first.text, 'also when it is over');
    assert.equal(again.headers['content-type'], first.headers['content-type']);
    assert.equal((await send(url, { ...asked, body: { ...asked.body, temperature: 0 } })).status, 409);
    assert.equal(engine.marked(word).length, before + 1, 'one generation');
  }
  const refused = { headers: { ...bearer(key), 'gatehouse-resume': `30; name=${name}-no` } };
  const url = `${gateway.url}/api/chat/completions`;
  const ofWords = (words: string) => ({ ...refused, body: { model: 'm', messages: ask(words) } });
  assert.equal((await send(url, ofWords('sim:status=400'))).status, 400);
  assert.equal((await send(url, ofWords('hello'))).status, 200, 'what was refused leaves its name free');
});
