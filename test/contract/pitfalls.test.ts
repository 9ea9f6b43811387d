import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openStream, send } from '#harness/http-client';
import type { ReceivedStream } from '#harness/http-client';
import { connectRaw, exchangeRaw, rawRequest } from '#harness/raw-http';
import { ask, mark, startService } from '#harness/service';
import { standardPieces } from '#harness/simulated-answer';
import { waitUntil } from '#harness/wait-until';

/** The places where relays of this kind break, each driven once through the running program. */
const service = await startService({
  settings: {
    limits: {
      maxBody: '12MiB',
      engineSilence: '2s',
      slowReader: '2s',
      headerTimeout: '2s',
      bodyTimeout: '3s',
    },
    heartbeat: '1s',
  },
});
after(() => service[Symbol.asyncDispose]());
const { gateway, engineA, engineB } = service;
const url = `${service.direct('beta-4-scout')}/chat/completions`;
const body = (words: string, extra: object = {}) => ({
  model: 'beta-4-scout',
  messages: ask(words),
  ...extra,
});
const stream = (words: string, extra: object = {}) =>
  openStream(url, { body: body(words, { stream: true, ...extra }) });
const text = standardPieces.join('');
const asUsed = { stream_options: { include_usage: true } };

function said(answer: ReceivedStream): string {
  return answer
    .chunks()
    .map((chunk) => (chunk.choices[0]?.delta['content'] as string | undefined) ?? '')
    .join('');
}

/** The service answers again: at once, or as soon as an engine that failed often has shown that it is well. */
async function assertWell(): Promise<void> {
  await waitUntil(
    'the service is well',
    async () => (await send(url, { body: body('are you well') })).status === 200,
  );
}

for (const words of [
  'sim:one-byte',
  'sim:split-utf8',
  'sim:crlf',
  'sim:no-space',
  'sim:crlf sim:one-byte',
  'sim:split-usage',
  'sim:all-at-once',
  'sim:comments',
]) {
  test(`framing: ${words}`, async () => {
    for (const model of ['beta-4-scout', 'alpha-R1']) {
      const base = service.direct(model === 'alpha-R1' ? 'engine-b' : model);
      const request = { model, messages: ask(words), stream: true, ...asUsed };
      const answer = await openStream(`${base}/chat/completions`, { body: request });
      assert.equal(await answer.ended, 'complete');
      assert.ok(said(answer).endsWith(text), said(answer));
      assert.equal(answer.frames().at(-1), '[DONE]');
      assert.ok(answer.chunks().at(-1)?.usage);
      assert.ok(!answer.raw().includes('\uFFFD'));
    }
  });
}

test('a missing [DONE] is made good, a finished answer stays a success', async () => {
  const answer = await stream('sim:no-done');
  assert.equal(await answer.ended, 'complete');
  assert.equal(said(answer), text);
  assert.equal(answer.frames().at(-1), '[DONE]');
  assert.ok(answer.chunks().every((chunk) => chunk.error === undefined));
});

test('an engine that dies after its usage has still answered', async () => {
  const answer = await stream('sim:die-after-usage', asUsed);
  assert.equal(await answer.ended, 'complete');
  assert.equal(said(answer), text);
  assert.ok(answer.chunks().some((chunk) => chunk.usage));
  assert.ok(answer.chunks().every((chunk) => chunk.error === undefined));
  assert.equal(answer.frames().at(-1), '[DONE]');
});

test('an engine that dies in a frame leaves whole frames and an error event', async () => {
  const answer = await stream('sim:die-mid-frame=3');
  assert.equal(await answer.ended, 'complete');
  assert.equal(answer.chunks().at(-1)?.error?.code, 'engine_failed');
  assert.equal(said(answer), standardPieces.slice(0, 2).join(''));
});

test('an engine that resets or closes before its answer is asked once more, then refused for', async () => {
  for (const words of ['sim:reset', 'sim:close']) {
    const mine = mark();
    const answer = await send(url, { body: body(`${mine} ${words}`) });
    assert.equal(answer.status, 502, answer.text);
    const attempts = engineA.requestsMarked(mine).length;
    assert.ok(attempts >= 1 && attempts <= 2, `${attempts} attempts`);
    await assertWell();
  }
});

test('an engine that takes the request and says nothing is given up, and its generation stopped', async () => {
  for (const [words, extra] of [
    ['sim:hang', {}],
    ['sim:hang', { stream: true }],
    ['sim:hang-after=2', { stream: true }],
  ] as const) {
    const mine = mark();
    const answer = await openStream(url, { body: body(`${mine} ${words}`, extra) });
    assert.equal(await answer.ended, 'complete');
    if (answer.status === 200)
      assert.match(String(answer.chunks().at(-1)?.error?.code), /engine_(timeout|failed)/);
    else assert.ok([502, 504].includes(answer.status), String(answer.status));
    await waitUntil('the engine is free again', () =>
      engineA.marked(mine).every(({ state }) => state === 'aborted'),
    );
    await assertWell();
  }
});

test('a silent engine does not leave the caller in silence', async () => {
  const answer = await stream('sim:frames=2 sim:every=1600');
  await answer.ended;
  assert.match(answer.raw().toString(), /^: ?keep-alive/m);
  assert.deepEqual(said(answer), 'w0 w1 ');
});

test('the keep-alive race is lost by nobody', async () => {
  for (let round = 0; round < 5; round++) {
    await assertWell();
    engineA.control.closeRaces = 1;
    const answer = await send(url, { body: body('race') });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(engineA.control.closeRaces, 0, 'the race took place');
  }
});

test('a huge frame passes whole, a monstrous one is an engine at fault', async () => {
  const answer = await stream('sim:huge=3000000');
  assert.equal(await answer.ended, 'complete');
  assert.equal(said(answer).length, 3_000_000);
  const monstrous = await stream('sim:huge=40000000');
  await monstrous.ended;
  assert.equal(monstrous.chunks().at(-1)?.error?.code, 'engine_failed');
  await assertWell();
});

test('a large prompt arrives unchanged, one over the limit is refused without a reset', async () => {
  const mine = mark();
  const prompt = `${mine} ${'ü'.repeat(5_000_000)}`;
  const large = await send(url, { body: body(prompt) });
  assert.equal(large.status, 200, large.text.slice(0, 200));
  const [received] = engineA.requestsMarked(mine);
  assert.equal(
    (JSON.parse(received!.body.toString()) as { messages: { content: string }[] }).messages[0]!.content,
    prompt,
  );
  const tooLarge = JSON.stringify(body('x'.repeat(13 * 1024 * 1024)));
  for (const target of [url, `${gateway.url}/nowhere`, `${service.proxy}/chat/completions`]) {
    const over = await send(target, { body: tooLarge });
    assert.equal(
      over.error.code,
      { [url]: 'request_too_large', [`${gateway.url}/nowhere`]: 'not_found' }[target] ?? 'invalid_api_key',
    );
  }
  // Chunked, so that only counting can tell.
  using raw = await connectRaw(gateway.url);
  raw.send(
    rawRequest('POST', '/beta-4-scout/v1/chat/completions', [
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ]),
  );
  const piece = `100000\r\n${' '.repeat(0x100000)}\r\n`;
  for (let index = 0; index < 14; index++) raw.send(piece);
  assert.equal((await raw.response()).status, 413);
});

test('Expect: 100-continue, and expectations that nobody knows', async () => {
  const json = JSON.stringify(body('hello'));
  using odd = await connectRaw(gateway.url);
  odd.send(
    rawRequest('POST', '/api/chat/completions', [
      'Content-Type: application/json',
      'Expect: the-unexpected',
      `Content-Length: ${json.length}`,
    ]) + json,
  );
  const refused = await odd.response();
  assert.equal(refused.status, 401);
  assert.match(refused.body, /"code":"invalid_api_key"/);
  using raw = await connectRaw(gateway.url);
  raw.send(
    rawRequest('POST', '/beta-4-scout/v1/chat/completions', [
      'Content-Type: application/json',
      'Expect: 100-continue',
      `Content-Length: ${json.length}`,
    ]),
  );
  await waitUntil('the server says go on', () => raw.received().startsWith('HTTP/1.1 100'));
  raw.send(json);
  assert.equal((await raw.response()).status, 200);
});

test('Content-Length with Transfer-Encoding, and other framings with two readings, are refused', async () => {
  const json = JSON.stringify(body('smuggled'));
  const target = '/beta-4-scout/v1/chat/completions';
  const type = 'Content-Type: application/json';
  const framings = [
    ['Content-Length: 4', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
    ['Transfer-Encoding: xchunked'],
    ['Content-Length: 5', 'Content-Length: 6'],
    ['Content-Length: +5'],
    ['Content-Length: 5, 5'],
    ['Transfer-Encoding : chunked'],
  ];
  for (const framing of framings) {
    using raw = await connectRaw(gateway.url);
    raw.send(
      `${rawRequest('POST', target, [type, ...framing])}${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\nGET /api/models HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    assert.equal((await raw.response()).status, 400, framing.join(' | '));
    await raw.untilClosed();
    assert.equal(raw.received().split('HTTP/1.1 ').length, 2, 'one answer, then the connection ends');
  }
  assert.equal(engineA.requestsMarked('smuggled').length, 0);
});

test('HTTP/1.1 names one host, HTTP/1.0 one at most, and who does not is told', async () => {
  const asked = async (version: string, hosts: readonly string[]) => {
    using raw = await connectRaw(gateway.url);
    const lines = hosts.map((host) => `Host: ${host}\r\n`).join('');
    raw.send(`GET /beta-4-scout/v1/models HTTP/${version}\r\n${lines}Connection: close\r\n\r\n`);
    return await raw.response();
  };
  for (const [version, hosts] of [
    ['1.1', []],
    ['1.1', ['localhost', 'localhost']],
    ['1.0', ['localhost', 'elsewhere.example']],
  ] as const) {
    const { status, body: text } = await asked(version, hosts);
    assert.equal(status, 400, `${version} ${hosts.join()}`);
    assert.match(text, /"message":"Send the header Host.*"code":"invalid_request"/);
  }
  assert.equal((await asked('1.0', [])).status, 200);
  assert.equal((await asked('1.1', ['localhost'])).status, 200);
});

test('a caller who half-closes after asking still gets the answer', async () => {
  using raw = await connectRaw(gateway.url);
  const json = JSON.stringify(body('hello sim:frames=5 sim:every=20'));
  raw.send(
    rawRequest(
      'POST',
      '/beta-4-scout/v1/chat/completions',
      ['Content-Type: application/json', 'Connection: close'],
      json,
    ),
  );
  raw.halfClose();
  assert.equal((await raw.response()).status, 200);
  await raw.untilClosed();
});

test('a caller who never reads is cut off, and the engine is not left generating', async () => {
  const mine = mark();
  const answer = await stream(`${mine} sim:frames=500000`);
  answer.pause();
  const generation = await waitUntil('the engine knows it', () => engineA.marked(mine)[0]);
  await waitUntil('it is stopped', () => generation.state !== 'active');
  assert.equal(generation.state, 'aborted');
  assert.ok(generation.progress.bytesWritten < 64 * 1024 * 1024, 'the gateway did not read on without bound');
  answer.resume();
  assert.equal(await answer.ended, 'broken', 'the connection was closed');
});

test('a thousand connections that come and go in anger', async () => {
  for (let round = 0; round < 20; round++) {
    const sockets = await Promise.all(Array.from({ length: 50 }, () => connectRaw(gateway.url)));
    for (const [index, raw] of sockets.entries()) {
      if (index % 3 === 0)
        raw.send(
          'POST /beta-4-scout/v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{',
        );
      if (index % 3 === 1) raw.send('GET /');
      raw.socket.resetAndDestroy();
    }
  }
  await assertWell();
});

test('bodies that stop half-way are refused in time', async () => {
  using raw = await connectRaw(gateway.url);
  raw.send(
    rawRequest(
      'POST',
      '/beta-4-scout/v1/chat/completions',
      ['Content-Type: application/json', 'Content-Length: 1000'],
      '{"model"',
    ),
  );
  const answer = await raw.response();
  assert.equal(answer.status, 408);
  assert.equal((JSON.parse(answer.body) as { error: { code: string } }).error.code, 'request_timeout');
});

test('duplicate keys are refused on the way in', async () => {
  const twice =
    '{"model":"beta-4-scout","messages":[{"role":"user","content":"twice"}],"mod\\u0065l":"org/gamma"}';
  const answer = await exchangeRaw(
    gateway.url,
    rawRequest('POST', '/beta-4-scout/v1/chat/completions', ['Content-Type: application/json'], twice),
  );
  assert.equal(answer.status, 400);
  assert.equal(engineA.requestsMarked('twice').length, 0);
});

test('no leg waits for a delayed acknowledgement', async () => {
  const times: number[] = [];
  for (let round = 0; round < 30; round++) {
    const started = performance.now();
    await send(url, { body: body('quick') });
    times.push(performance.now() - started);
  }
  // The fingerprint of Nagle against delayed ACK is 40 ms on every request, not on some.
  assert.ok(Math.min(...times) < 38, `the quickest of 30 took ${Math.min(...times)} ms`);
});

test('afterwards nothing is left running', async () => {
  await waitUntil('both engines are idle', () => engineA.activeGenerations + engineB.activeGenerations === 0);
  await assertWell();
});

test('bytes that are no HTTP behind a request disturb no answer', async () => {
  const mine = mark();
  const body = JSON.stringify({
    model: 'beta-4-scout',
    messages: ask(`${mine} sim:frames=100000 sim:every=20`),
    stream: true,
  });
  using raw = await connectRaw(gateway.url);
  raw.send(rawRequest('POST', '/beta-4-scout/v1/chat/completions', ['Content-Type: application/json'], body));
  await waitUntil('the stream runs', () => raw.received().includes('data: '));
  raw.send('\x16\x03\x01 this is no HTTP\r\n\r\n');
  const before = raw.received().length;
  await waitUntil('the stream goes on', () => raw.received().length > before + 2000);
  engineA.marked(mine)[0]!.isToldToFinish = true;
  await raw.untilClosed();
  const received = raw.received();
  assert.equal([...received.matchAll(/HTTP\/1\.1/g)].length, 1, 'one request, one answer');
  assert.match(received, /data: \[DONE\]\n\n\r\n0\r\n\r\n$/);

  // A whole answer that has not begun is not replaced, either.
  using whole = await connectRaw(gateway.url);
  const slow = JSON.stringify({ model: 'beta-4-scout', messages: ask('sim:slow=300') });
  whole.send(
    rawRequest('POST', '/beta-4-scout/v1/chat/completions', ['Content-Type: application/json'], slow) +
      'nonsense',
  );
  assert.equal((await whole.response()).status, 200);
  await whole.untilClosed();
});
