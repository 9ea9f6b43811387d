import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { openStream, send } from '#harness/http-client';
import type { Sent } from '#harness/http-client';
import { disablePerson, endKeySoon } from '#harness/key-office';
import { connectRaw, exchangeRaw, rawRequest } from '#harness/raw-http';
import { ask, mark, startService } from '#harness/service';
import { waitUntil } from '#harness/wait-until';

/** What must never happen at the doors and towards the engines, tried from outside. */
const service = await startService({
  engine: { credential: 'engine-credential-1234' },
  settings: {
    // Both families on one socket: IPv4 peers arrive in IPv6 clothes.
    listen: '[::]:0',
    directNetworks: ['127.0.0.1/32', '10.0.0.0/8'],
    trustedProxies: ['127.0.0.5/32'],
    limits: { headerTimeout: '2s', bodyTimeout: '2s', maxHeader: '16KiB', maxJsonDepth: 32 },
  },
});
after(() => service[Symbol.asyncDispose]());
const { gateway, engineA, engineB, key } = service;
const base = gateway.url.replace('localhost', '127.0.0.1').replace('[::]', '127.0.0.1');
const direct = `${base}/beta-4-scout/v1`;
const proxy = `${base}/api`;
const chat = (words = 'hello', extra: object = {}) => ({
  model: 'beta-4-scout',
  messages: ask(words),
  ...extra,
});
const stranger: Sent = { from: '127.0.0.9' };

async function assertWell(): Promise<void> {
  assert.equal((await send(`${direct}/chat/completions`, { body: chat() })).status, 200);
}

test('hostile bearers are refused with constant work and leave nothing behind', async () => {
  const before = gateway.usageRecords().length;
  const values = [
    '"',
    "'",
    "' OR 1=1 --",
    '../../etc/passwd',
    '%00',
    '__proto__',
    'constructor',
    'gh_',
    'gh_' + 'a'.repeat(400),
    key.slice(0, 10),
    key.toUpperCase(),
    `${key}\t`,
    `${key} ${key}`,
    'null',
    'undefined',
    '{"$ne":""}',
    'é',
  ];
  for (const value of values) {
    for (const header of [`Authorization: bearer ${value}`, `x-api-key: ${value}`]) {
      const raw = rawRequest('GET', '/api/models', ['Connection: close', header]);
      const answer = await exchangeRaw(base, Buffer.from(raw, 'latin1'));
      // Blanks at the end of a header are no part of it.
      assert.equal(answer.status, value === `${key}\t` ? 200 : 401, header);
    }
  }
  for (const bytes of [Buffer.from([0xff, 0xfe]), Buffer.from([0x00]), Buffer.from([0x0b])]) {
    const head = Buffer.from(
      'GET /api/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: bearer ',
    );
    const answer = await exchangeRaw(base, Buffer.concat([head, bytes, Buffer.from('\r\n\r\n')]));
    assert.ok([400, 401].includes(answer.status), `${bytes.toString('hex')} became ${answer.status}`);
  }
  const twice = ['Connection: close', `Authorization: bearer ${key}`, 'Authorization: bearer other'];
  const bareTwice = ['Connection: close', `x-api-key: ${key}`, 'x-api-key: other'];
  for (const lines of [twice, twice.toReversed(), bareTwice, bareTwice.toReversed()]) {
    assert.equal((await exchangeRaw(base, rawRequest('GET', '/api/models', lines))).status, 401);
  }
  const huge = await exchangeRaw(
    base,
    rawRequest('GET', '/api/models', [`Authorization: bearer ${'x'.repeat(1024 * 1024)}`]),
  );
  assert.equal(huge.status, 431);
  for (let round = 0; round < 200; round++) {
    const headers = { authorization: `bearer gh_wrong${round}` };
    assert.equal((await send(`${proxy}/chat/completions`, { headers, body: chat() })).status, 401);
  }
  assert.equal(gateway.usageRecords().length, before);
});

test('a key ends with its time and with its owner, streams included', async () => {
  const short = await gateway.createKey({ name: 'short', expiresAt: Date.now() + 3_600_000 });
  const owned = await gateway.createKey({ name: 'owned', email: 'leaver@example.org' });
  const open = async (secret: string) => {
    const stream = await openStream(`${proxy}/chat/completions`, {
      headers: { authorization: `bearer ${secret}` },
      body: chat('sim:frames=100000 sim:every=20', { stream: true }),
    });
    await stream.untilFrames(1);
    return stream;
  };
  const status = async (secret: string) =>
    (await send(`${proxy}/models`, { headers: { authorization: `bearer ${secret}` } })).status;
  const streams = [await open(short.secret), await open(owned.secret)];
  await endKeySoon(gateway.dataDir, short.id);
  await disablePerson(gateway.dataDir, owned.personId);
  for (const { secret } of [short, owned])
    await waitUntil('the key is dead', async () => (await status(secret)) === 401);
  for (const stream of streams) {
    assert.equal(await stream.ended, 'complete');
    assert.equal(stream.chunks().at(-1)?.error?.code, 'access_withdrawn');
  }
  await waitUntil('the engine is free', () => engineA.activeGenerations === 0);
});

test('no spelling of a path gets a stranger in, or out of the allowlist', async () => {
  const spellings = [
    '/beta-4-scout/v1/models',
    '//beta-4-scout/v1/models',
    '/beta-4-scout//v1/models',
    '/BETA-4-scout/v1/models',
    '/%62eta-4-scout/v1/models',
    '/beta-4-scout%2Fv1%2Fmodels',
    '/beta-4-scout/v1/models/',
    '/beta-4-scout/v1/models?x=1',
    '/./beta-4-scout/v1/models',
    '/api/../beta-4-scout/v1/models',
    '/api/%2e%2e/beta-4-scout/v1/models',
    '/api/..%2fbeta-4-scout/v1/models',
    '/api/%252e%252e/beta-4-scout/v1/models',
    '/beta-4-scout;x/v1/models',
    '\\beta-4-scout\\v1\\models',
    '/beta-4-scout/v1/models%00',
    '/beta-4-scout/v1/models#',
    '/beta-4-scout/v1/%6dodels',
    `http://127.0.0.1/beta-4-scout/v1/models`,
    `http://llm.example.org:443/beta-4-scout/v1/models`,
    '*',
    'beta-4-scout/v1/models',
  ];
  for (const target of spellings) {
    for (const host of ['127.0.0.1', 'localhost', 'llm.example.org']) {
      using raw = await connectRaw(base, '127.0.0.9');
      raw.send(
        `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: 127.0.0.1\r\nConnection: close\r\n\r\n`,
      );
      const answer = await raw.response();
      assert.ok(
        answer.status >= 400 && answer.status < 500,
        `${target} with ${host} became ${answer.status}`,
      );
    }
  }
  const climbs = [
    '/beta-4-scout/v1/../../metrics',
    '/beta-4-scout/v1/..%2f..%2fmetrics',
    '/beta-4-scout/v1/%2e%2e/%2e%2e/healthz',
    '/api/../metrics',
    '/beta-4-scout/v1/%252e%252e/health',
  ];
  for (const target of climbs) {
    const answer = await exchangeRaw(base, rawRequest('GET', target, ['Connection: close']));
    assert.ok([400, 404].includes(answer.status), `${target} became ${answer.status}`);
  }
});

test('what stands before us is believed only when the operator says so, and from the right', async () => {
  const statusFrom = async (from: string, headers: Record<string, string | string[]>) =>
    (await send(`${direct}/models`, { from, headers })).status;
  const claims = ['127.0.0.1', '10.1.2.3', '::ffff:127.0.0.1', '"127.0.0.1"'];
  for (const claim of claims) {
    const all = {
      'x-forwarded-for': claim,
      'x-real-ip': claim,
      'x-client-ip': claim,
      'true-client-ip': claim,
      forwarded: `for=${claim}`,
      'cf-connecting-ip': claim,
    };
    assert.equal(await statusFrom('127.0.0.9', all), 401, claim);
  }
  const believed: [Record<string, string | string[]>, number][] = [
    [{ 'x-forwarded-for': '10.1.2.3' }, 200],
    [{ 'x-forwarded-for': '8.8.8.8, 10.1.2.3' }, 200],
    [{ 'x-forwarded-for': '10.1.2.3, 8.8.8.8' }, 401],
    [{ 'x-forwarded-for': ['10.1.2.3', '8.8.8.8'] }, 401],
    [{ 'x-forwarded-for': '10.1.2.3, 8.8.8.8, 127.0.0.5' }, 401],
    [{ 'x-forwarded-for': '8.8.8.8, 10.1.2.3, 127.0.0.5' }, 200],
    [{ 'x-forwarded-for': '::ffff:10.1.2.3' }, 200],
    [{ 'x-forwarded-for': '::ffff:a01:203' }, 200],
    [{ 'x-forwarded-for': '[::ffff:10.1.2.3]:4711' }, 200],
    [{ 'x-forwarded-for': '10.1.2.3:4711' }, 200],
    [{ 'x-forwarded-for': '::10.1.2.3' }, 401],
    [{ 'x-forwarded-for': '::a01:203' }, 401],
    [{ 'x-forwarded-for': '012.1.2.3' }, 401],
    [{ 'x-forwarded-for': '167838211' }, 401],
    [{ 'x-forwarded-for': '0xa010203' }, 401],
    [{ 'x-forwarded-for': '10.1.2' }, 401],
    [{ 'x-forwarded-for': '10.1.2.3, unknown' }, 401],
    [{ 'x-forwarded-for': '10.1.2.3,' }, 401],
    [{ 'x-forwarded-for': '' }, 401],
    [{ forwarded: 'for=10.1.2.3' }, 401],
    [{ 'x-forwarded-for': '8.8.8.8', forwarded: 'for=10.1.2.3' }, 401],
    [{ 'x-forwarded-for': '10.1.2.3', forwarded: 'for=8.8.8.8' }, 200],
    [{}, 401],
  ];
  for (const [headers, status] of believed) {
    assert.equal(await statusFrom('127.0.0.5', headers), status, JSON.stringify(headers));
  }
  const named = await send(`${direct}/models`, {
    from: '127.0.0.5',
    headers: { 'x-forwarded-for': '203.0.113.7' },
  });
  assert.match(named.error.message, /203\.0\.113\.7/);
  assert.equal(
    await statusFrom('127.0.0.1', {}),
    200,
    'an IPv4 peer on an IPv6 socket is known by its IPv4 address',
  );
});

test('only the allowlist reaches an engine', async () => {
  const dangerous = [
    'pause',
    'resume',
    'sleep',
    'wake_up',
    'collective_rpc',
    'update_weights',
    'update_weights_from_disk',
    'load_lora_adapter',
    'unload_lora_adapter',
    'flush_cache',
    'abort_request',
    'start_profile',
    'stop_profile',
    'metrics',
    'server_info',
    'get_server_info',
    'generate',
    'invocations',
    'ping',
    'health',
    'health_generate',
    'load',
    'loads',
    'reset_prefix_cache',
    'slots',
    'props',
    'release_memory_occupation',
    'audio/transcriptions',
    'files',
    'batches',
    'realtime',
    'chat/completions/batch',
    'completions/render',
    'responses/resp_1',
    'responses/resp_1/cancel',
    'models/load',
    'chat',
    'chat/completions/x',
    'pooling',
  ];
  const before = engineA.requests.filter(({ method, url }) => !isProbe(method, url)).length;
  for (const name of dangerous) {
    for (const prefix of ['beta-4-scout/v1', 'beta-4-scout', 'api', 'api/v1']) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const headers = { authorization: `bearer ${key}` };
        const { status } = await send(`${base}/${prefix}/${name}`, {
          method,
          headers,
          ...(method === 'GET' ? {} : { body: chat() }),
        });
        assert.ok([404, 405].includes(status), `${method} ${prefix}/${name} became ${status}`);
      }
    }
  }
  assert.equal(engineA.requests.filter(({ method, url }) => !isProbe(method, url)).length, before);
});

test('an engine hears only what is ours to say', async () => {
  const mine = mark();
  const headers = {
    authorization: 'Bearer anything',
    cookie: 'a=b',
    'proxy-authorization': 'x',
    'x-api-key': 'x',
    'openai-organization': 'o',
    'x-request-id': 'forged',
    'x-forwarded-proto': 'https',
    te: 'trailers',
    'x-session-id': 's',
    'x-data-parallel-rank': '3',
    'x-vllm-priority': '0',
    'x-smg-routing-key': 'k',
    traceparent: '00-1-2-00',
    'accept-encoding': 'gzip',
    'endpoint-load-metrics-format': 'json',
    upgrade: 'h2c',
    connection: 'keep-alive, x-custom',
    'x-custom': 'x',
    'user-agent': 'caller',
  };
  assert.equal(
    (await send(`${direct}/chat/completions?engine=2&api_base=x`, { headers, body: chat(mine) })).status,
    200,
  );
  const [received] = engineA.requestsMarked(mine);
  const ours = new Set([
    'host',
    'connection',
    'content-type',
    'content-length',
    'accept',
    'authorization',
    'x-request-id',
  ]);
  assert.deepEqual(
    Object.keys(received!.headers).filter((name) => !ours.has(name)),
    [],
  );
  assert.equal(received!.headers.authorization, 'Bearer engine-credential-1234');
  assert.notEqual(received!.headers['x-request-id'], 'forged');
  assert.equal(received!.url, '/v1/chat/completions');
});

test('no field of a request chooses where it goes', async () => {
  let visits = 0;
  const decoy = createServer((socket) => {
    visits += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(decoy, 'listening');
  const { port } = decoy.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1`;
  const ignored = {
    api_base: url,
    endpoint: url,
    engine: url,
    urlIdx: 1,
    metadata: { url },
    config: { baseURL: url },
  };
  assert.equal((await send(`${direct}/chat/completions`, { body: chat('x', ignored) })).status, 200);
  for (const refused of [{ base_url: url }, { url }, { provider: { url } }])
    assert.equal((await send(`${direct}/chat/completions`, { body: chat('x', refused) })).status, 400);
  for (const model of [url, 'org/gamma', 'beta-4-scout@1', '../gamma-oss-120b', 'engine-a/beta-4-scout']) {
    assert.equal(
      (
        await send(`${proxy}/chat/completions`, {
          headers: { authorization: `bearer ${key}` },
          body: chat('x', { model }),
        })
      ).status,
      404,
      model,
    );
  }
  const headers = {
    'x-upstream': url,
    'x-portkey-custom-host': url,
    'x-litellm-api-base': url,
    host: `127.0.0.1:${port}`,
  };
  await send(`${direct}/chat/completions`, { headers, body: chat() });
  decoy.close();
  assert.equal(visits, 0);
});

test('media comes inside the request, never from an address', async () => {
  const mine = mark();
  const status = async (part: object | string) => {
    const text = typeof part === 'string' ? part : JSON.stringify(part);
    const body = `{"model":"beta-4-scout","messages":[{"role":"user","content":[{"type":"text","text":"${mine}"},${text}]}]}`;
    return (await send(`${direct}/chat/completions`, { body })).status;
  };
  for (const url of [
    'http://169.254.169.254/',
    'https://x',
    'file:///etc/passwd',
    'FTP://x',
    '//x/y',
    ' http://x',
    '\thttp://x',
    '/etc/passwd',
    '\\\\host\\share',
    'jar:http://x',
  ]) {
    assert.equal(await status({ type: 'image_url', image_url: { url } }), 400, url);
    assert.equal(await status({ type: 'image_url', image_url: url }), 400, url);
    assert.equal(await status({ type: 'video_url', video_url: { url } }), 400, url);
    assert.equal(await status({ type: 'audio_url', audio_url: { url } }), 400, url);
    assert.equal(await status({ type: 'image', image: url }), 400, url);
  }
  assert.equal(await status('{"type":"image_url","\\u0069mage_url":{"\\u0075rl":"http://x"}}'), 400);
  assert.equal(engineA.requestsMarked(mine).length, 0);
  assert.equal(await status({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }), 200);
});

test('a field name that the runtime misreads after a poisoned request is not let through', async () => {
  const mine = mark();
  const post = (part: string) =>
    send(`${direct}/chat/completions`, {
      body: `{"model":"beta-4-scout","messages":[{"role":"user","content":[${part}]}]}`,
    });
  // The shape is taught first: a plain name that begins like the escape of the other.
  await post('{"type":"image_url","\\\\u0069mag":"data:,x"}');
  const answer = await post(`{"type":"image_url","\\u0069mage_url":"http://169.254.169.254/${mine}"}`);
  assert.equal(answer.status, 400, answer.text);
  assert.equal(engineA.requestsMarked(mine).length, 0);
});

test('whatever is sent as a body, the answer is a 4xx and the process stays', async () => {
  const hostile = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .record(
        {
          model: fc.constant('beta-4-scout'),
          messages: fc.jsonValue(),
          tools: fc.jsonValue(),
          stop: fc.jsonValue(),
          logit_bias: fc.jsonValue(),
          stream_options: fc.jsonValue(),
          stream: fc.jsonValue(),
          chat_template_kwargs: fc.jsonValue(),
        },
        { requiredKeys: ['model'] },
      )
      .map((body) => JSON.stringify(body)),
  );
  const endpoints = [
    'chat/completions',
    'completions',
    'embeddings',
    'responses',
    'messages',
    'tokenize',
    'rerank',
  ];
  await fc.assert(
    fc.asyncProperty(hostile, fc.constantFrom(...endpoints), async (body, endpoint) => {
      const { status, text } = await send(`${direct}/${endpoint}`, { body });
      assert.ok(status < 500, `${endpoint} with ${JSON.stringify(body)} became ${status}: ${text}`);
    }),
    { numRuns: 250 },
  );
  const depths = [
    `{"model":"beta-4-scout","messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    `{"model":"beta-4-scout","messages":[${'{"a":'.repeat(40)}1${'}'.repeat(40)}]}`,
  ];
  for (const body of depths) assert.equal((await send(`${direct}/chat/completions`, { body })).status, 400);
  const manyTools = Array.from({ length: 200 }, (_, index) => ({
    type: 'function',
    function: { name: `f${index}`, parameters: {} },
  }));
  assert.equal(
    (await send(`${direct}/chat/completions`, { body: chat('x', { tools: manyTools }) })).status,
    400,
  );
  const bigTool = [
    { type: 'function', function: { name: 'f', description: 'x'.repeat(2_000_000), parameters: {} } },
  ];
  assert.equal(
    (await send(`${direct}/chat/completions`, { body: chat('x', { tools: bigTool }) })).status,
    400,
  );
  await assertWell();
});

test('slow, idle and flooding senders are bounded in time', async () => {
  using dribble = await connectRaw(base);
  dribble.send('POST /beta-4-scout/v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n');
  const drip = setInterval(() => dribble.send('X-A: b\r\n'), 100);
  const idle = await Promise.all(Array.from({ length: 300 }, () => connectRaw(base)));
  await dribble.response().then(
    (answer) => assert.equal(answer.status, 408),
    () => {},
  );
  await dribble.untilClosed();
  clearInterval(drip);
  await assertWell();
  for (const raw of idle) raw.socket.destroy();
  const flood = Array.from({ length: 3000 }, (_, index) => `X-${index}: y`);
  assert.equal((await exchangeRaw(base, rawRequest('GET', '/api/models', flood))).status, 431);
  const longPath = await exchangeRaw(base, rawRequest('GET', `/${'a'.repeat(64 * 1024)}`, []));
  assert.ok([400, 404, 414, 431].includes(longPath.status));
  await assertWell();
});

test('odd methods and upgrades are answered, pipelined requests each get their own', async () => {
  for (const method of ['TRACE', 'PATCH', 'PROPFIND', 'HEAD']) {
    const answer = await send(`${direct}/chat/completions`, { method });
    assert.ok([404, 405].includes(answer.status), `${method} became ${answer.status}`);
  }
  using tunnel = await connectRaw(base);
  tunnel.send('CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n');
  await tunnel.untilClosed();
  assert.doesNotMatch(tunnel.received(), /^HTTP\/1\.1 2/);
  using upgrade = await connectRaw(base);
  upgrade.send(
    rawRequest('GET', '/beta-4-scout/v1/models', [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ]),
  );
  assert.notEqual((await upgrade.response()).status, 101);
  using pipeline = await connectRaw(base);
  pipeline.send(
    rawRequest('GET', '/beta-4-scout/v1/models', []) +
      rawRequest('GET', '/api/models', []) +
      rawRequest('GET', '/healthz', ['Connection: close']),
  );
  await pipeline.untilClosed();
  const statuses = [...pipeline.received().matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
  assert.deepEqual(statuses, ['200', '401', '200']);
});

test('strangers learn nothing: no models, no metrics, no insides', async () => {
  const answers = [
    await send(`${direct}/models`, stranger),
    await send(`${direct}/chat/completions`, { ...stranger, body: chat() }),
    await send(`${proxy}/models`, stranger),
    await send(`${base}/nothing/here`, stranger),
  ];
  for (const answer of answers) {
    assert.doesNotMatch(answer.text, /gamma-oss|org\/|engine-a|127\.0\.0\.1|10\.0\.0\.0/);
    assert.equal(answer.headers['x-powered-by'], undefined);
    assert.equal(answer.headers.server, undefined);
  }
});

test('the page runs no script but its own', async () => {
  const page = await send(`${gateway.url}/`, { headers: { accept: 'text/html' } });
  const policy = String(page.headers['content-security-policy']);
  const [scripts = ''] = /(?<=script-src )[^;]*/.exec(policy) ?? [];
  assert.match(scripts, /'self'/, policy);
  assert.doesNotMatch(scripts, /unsafe-|\*|https?:|data:/, policy);
  assert.match(policy, /default-src '(none|self)'/);
});

test('secrets and prompts are in no log, no metric and no title of the process', async () => {
  const secret = `prompt-${mark()}`;
  await send(`${direct}/chat/completions`, { body: chat(`${secret} sim:status=500`) });
  await send(`${direct}/chat/completions`, { body: `{"broken ${secret}` });
  await send(`${proxy}/models?key=${key}`, { headers: { authorization: `bearer ${key}x` } });
  await waitUntil('the failure is logged', () => /engine-failed/.test(gateway.logs()));
  const metrics = (await send(gateway.metricsUrl.replace('localhost', '127.0.0.1'))).text;
  const title = readFileSync(`/proc/${gateway.pid}/cmdline`, 'utf8');
  for (const place of [gateway.logs(), metrics, title]) {
    for (const word of [secret, key, key.slice(3, 30), 'engine-credential-1234'])
      assert.ok(!place.includes(word), `${word} was written down`);
  }
  await waitUntil('both engines are idle', () => engineA.activeGenerations + engineB.activeGenerations === 0);
});

function isProbe(method: string, url: string): boolean {
  return method === 'GET' || url === '/v1/completions';
}
