import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openStream, send } from '#harness/http-client';
import type { Received, Sent } from '#harness/http-client';
import { revokeKey } from '#harness/key-office';
import { exchangeRaw } from '#harness/raw-http';
import { ask, mark, startService } from '#harness/service';
import { standardPieces } from '#harness/simulated-answer';

/** What the contract and the product promise a caller at the two doors, seen from outside. */
const service = await startService({
  settings: {
    publicUrl: 'https://llm.example.org',
    hostNames: ['gatehouse.internal'],
    directNetworks: ['127.0.0.1/32', { cidr: '127.0.0.2/32', project: 'lab' }],
    limits: { maxOutputTokens: 1000, maxChoices: 4, maxTools: 3, maxStopStrings: 4, maxLogprobs: 5 },
  },
});
after(() => service[Symbol.asyncDispose]());
const { gateway, proxy, key, engineA } = service;
const bearer = { authorization: `bearer ${key}` };
const text = standardPieces.join('');
const chat = (model: string, extra: object = {}) => ({ model, messages: ask('hello'), ...extra });
const atProxy = (body: object, sent: Sent = {}) =>
  send(`${proxy}/chat/completions`, { headers: bearer, body, ...sent });
const atDirect = (path: string, endpoint: string, body: object, sent: Sent = {}) =>
  send(`${service.direct(path)}/${endpoint}`, { body, ...sent });

/** Every refusal on every door has this form, whatever its status. */
function assertRefusal(answer: Received, status: number, code: string, param: string | null = null): void {
  assert.equal(answer.status, status, answer.text);
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
  const { error } = answer;
  assert.deepEqual([error.code, error.param], [code, param], answer.text);
  assert.equal(typeof error.type, 'string');
  assert.ok(error.message.length > 10);
  assert.ok(answer.headers['x-request-id']);
}

test('each model of the contract answers at its two addresses', async () => {
  for (const [model, path] of [
    ['alpha-R1', 'engine-b'],
    ['beta-4-scout', 'beta-4-scout'],
    ['gamma-oss-120b', 'gamma-oss-120b'],
  ] as const) {
    for (const answer of [
      await atProxy(chat(model)),
      await atDirect(path, 'chat/completions', chat(model)),
    ]) {
      assert.equal(answer.status, 200, answer.text);
      const { choices, model: named } = answer.json as {
        choices: { message: { content: string } }[];
        model: string;
      };
      assert.ok(choices[0]?.message.content.endsWith(text));
      assert.equal(named, model);
    }
    const completion = await atDirect(path, 'completions', { model, prompt: 'Once' });
    assert.equal(completion.status, 200, completion.text);
  }
});

test('alpha-R1 thinks in tags, gamma-oss-120b in fields', async () => {
  const content = async (model: string) => {
    const { choices } = (await atProxy(chat(model))).json as {
      choices: { message: Record<string, string> }[];
    };
    return choices[0]!.message;
  };
  assert.match((await content('alpha-R1'))['content'] ?? '', /^<think>[^]+<\/think>/);
  const gamma = await content('gamma-oss-120b');
  assert.equal(gamma['content'], text);
  assert.equal(gamma['reasoning'], gamma['reasoning_content']);
  assert.ok(gamma['reasoning']);
});

test('the model lists say what is served where', async () => {
  const ids = (answer: Received) => (answer.json as { data: { id: string }[] }).data.map((model) => model.id);
  for (const path of ['/models', '/v1/models']) {
    const all = await send(`${proxy}${path}`, { headers: bearer });
    assert.equal(all.json['object'], 'list');
    assert.deepEqual(ids(all).sort(), ['alpha-R1', 'beta-4-scout', 'gamma-oss-120b']);
  }
  const here = await send(`${service.direct('gamma-oss-120b')}/models`);
  assert.deepEqual(ids(here), ['gamma-oss-120b']);
  const { data } = here.json as { data: Record<string, unknown>[] };
  assert.deepEqual([data[0]!['object'], data[0]!['max_model_len']], ['model', 8192]);
  const one = await send(`${service.direct('engine-b')}/models/alpha-R1`);
  assert.deepEqual([one.status, one.json['id'], one.json['object']], [200, 'alpha-R1', 'model']);
  assertRefusal(await send(`${service.direct('engine-b')}/models/nothing`), 404, 'model_not_found', 'model');
  assertRefusal(await send(`${proxy}/models`), 401, 'invalid_api_key');
});

test('the proxy door needs a key, in one of two headers, whatever the letter case', async () => {
  const right: Record<string, string>[] = [
    ...[`Bearer ${key}`, `BEARER ${key}`, `bearer   ${key}`, `bearer ${key} `].map((authorization) => ({
      authorization,
    })),
    { 'x-api-key': key },
    { authorization: `Bearer ${key}`, 'x-api-key': key },
  ];
  for (const headers of right) {
    assert.equal((await atProxy(chat('beta-4-scout'), { headers })).status, 200, JSON.stringify(headers));
  }
  const wrong: Record<string, string>[] = [
    {},
    { authorization: key },
    { authorization: `Basic ${key}` },
    { authorization: 'bearer' },
    { authorization: `bearer ${key}x` },
    { authorization: `bearer ${key.slice(0, -1)}` },
    { authorization: `bearer ${key},${key}` },
    { 'x-api-key': `bearer ${key}` },
    { 'x-api-key': `${key}x` },
    { 'x-api-key': `${key}, ${key}` },
    { 'x-api-key': '' },
    { authorization: `bearer ${key}`, 'x-api-key': `${key}x` },
    { authorization: `bearer ${key}x`, 'x-api-key': key },
    { authorization: `Basic ${key}`, 'x-api-key': key },
    { 'api-key': key },
    { cookie: `token=${key}` },
  ];
  for (const headers of wrong) {
    const answer = await atProxy(chat('beta-4-scout'), { headers });
    assertRefusal(answer, 401, 'invalid_api_key');
    assert.match(String(answer.headers['www-authenticate']), /^Bearer/);
  }
  const inQuery = await send(`${proxy}/chat/completions?api_key=${key}&key=${key}`, {
    body: chat('beta-4-scout'),
  });
  assertRefusal(inQuery, 401, 'invalid_api_key');
});

test('the direct door takes the network for a token, and ignores any token it is shown', async () => {
  for (const headers of [
    {},
    { authorization: 'Bearer EMPTY' },
    { authorization: 'nonsense' },
    { authorization: `bearer ${key}` },
  ]) {
    const mine = mark();
    const body = { model: 'beta-4-scout', messages: ask(mine) };
    assert.equal((await atDirect('beta-4-scout', 'chat/completions', body, { headers })).status, 200);
    assert.equal(engineA.requestsMarked(mine)[0]!.headers.authorization, undefined);
  }
  const stranger = await atDirect('beta-4-scout', 'chat/completions', chat('beta-4-scout'), {
    from: '127.0.0.9',
  });
  assertRefusal(stranger, 401, 'network_not_permitted');
  assert.match(stranger.error.message, /127\.0\.0\.9/);
  assert.match(stranger.error.message, /\/api\//);
  const withKey = { from: '127.0.0.9', headers: bearer };
  assertRefusal(
    await atDirect('beta-4-scout', 'chat/completions', chat('beta-4-scout'), withKey),
    401,
    'network_not_permitted',
  );
  assertRefusal(
    await send(`${service.direct('beta-4-scout')}/models`, { from: '127.0.0.9' }),
    401,
    'network_not_permitted',
  );
  assert.equal((await atProxy(chat('beta-4-scout'), withKey)).status, 200);
});

test('the model must match the path, and the refusal says where it lives', async () => {
  const elsewhere = await atDirect('beta-4-scout', 'chat/completions', chat('alpha-R1'));
  assertRefusal(elsewhere, 404, 'model_not_found', 'model');
  assert.match(elsewhere.error.message, /https:\/\/llm\.example\.org\/engine-b\/v1\//);
  const unknown = await atProxy(chat('gpt-9'));
  assertRefusal(unknown, 404, 'model_not_found', 'model');
  assert.match(unknown.error.message, /alpha-R1.*beta-4-scout.*gamma-oss-120b/);
  assertRefusal(await atProxy({ messages: ask('x') }), 400, 'invalid_parameter', 'model');
  assertRefusal(await atProxy(chat(7 as unknown as string)), 400, 'invalid_parameter', 'model');
});

test('paths and names are forgiving', async () => {
  const body = chat('beta-4-scout');
  for (const path of [
    '/api/v1/chat/completions',
    '/api//chat/completions',
    '//api/chat/completions/',
    '/api/chat%2Fcompletions',
    '/api/v1/v1/chat/completions',
  ]) {
    assert.equal((await send(gateway.url + path, { headers: bearer, body })).status, 200, path);
  }
  for (const path of [
    '/beta-4-scout/chat/completions',
    '/beta-4-scout//v1//chat/completions',
    '/Beta-4-Scout/v1/chat/completions',
    '/beta-4-scout/v1/v1/chat/completions',
  ]) {
    assert.equal((await send(gateway.url + path, { body })).status, 200, path);
  }
  for (const model of ['BETA-4-SCOUT', 'openai/beta-4-scout', 'scout']) {
    const answer = await atProxy(chat(model));
    assert.deepEqual([answer.status, answer.json['model']], [200, 'beta-4-scout'], model);
  }
  const nowhere = await send(`${gateway.url}/no-such-model/v1/chat/completions`, { body });
  assertRefusal(nowhere, 404, 'not_found');
  assert.match(nowhere.error.message, /\/api\//);
  const byName = await send(`${gateway.url}/alpha-r1/v1/chat/completions`, { body: chat('alpha-R1') });
  assertRefusal(byName, 404, 'not_found');
  assert.match(byName.error.message, /`alpha-r1` is https:\/\/llm\.example\.org\/engine-b\/v1\//);
  const v1 = await send(`${gateway.url}/v1/chat/completions`, { body });
  assertRefusal(v1, 404, 'not_found');
  assert.match(v1.error.message, /\/api\//);
  const missing = await send(`${proxy}/completions`, { headers: bearer, body });
  assertRefusal(missing, 404, 'not_found');
  assert.match(missing.error.message, /chat\/completions/);
});

test('the wrong method names the right one', async () => {
  const answer = await send(`${proxy}/chat/completions`, { headers: bearer });
  assertRefusal(answer, 405, 'method_not_allowed');
  assert.equal(answer.headers.allow, 'POST');
  assertRefusal(await send(`${gateway.url}/healthz`, { body: {} }), 405, 'method_not_allowed');
  const list = await send(`${service.direct('engine-b')}/models`, { body: {} });
  assertRefusal(list, 405, 'method_not_allowed');
});

test('bodies that are not one JSON object in UTF-8 are refused', async () => {
  const raw = (body: string | Buffer, headers: Record<string, string> = {}) =>
    send(`${service.direct('beta-4-scout')}/chat/completions`, { body, headers });
  for (const body of [
    '',
    '{',
    '[]',
    'null',
    '{"model":"beta-4-scout"}x',
    '{"model":"beta-4-scout","model":"alpha-R1"}',
    Buffer.from([0xff, 0xfe]),
  ]) {
    assert.equal((await raw(body)).status, 400, String(body));
  }
  const marked = await raw(`\ufeff${JSON.stringify(chat('beta-4-scout'))}`);
  assertRefusal(marked, 400, 'invalid_json');
  assert.match(marked.error.message, /byte order mark/);
  for (const [inside, place] of [
    ['[{"role":"user" "content":"x"}]', /Expected ',' or '}' after property value \(line 1 column \d+\)/],
    ['[{"role":"user","content":"two\nlines"}]', /control character.*\(line 1 column \d+\).*as \\n/],
    ['[{"role":"user","content":"x"},]', /Unexpected token ']'\./],
  ] as const) {
    for (const endpoint of ['chat/completions', 'messages']) {
      const broken = `{"model":"beta-4-scout","max_tokens":5,"messages":${inside}}`;
      const { status, text } = await send(`${service.direct('beta-4-scout')}/${endpoint}`, { body: broken });
      assert.equal(status, 400, text);
      assert.match((JSON.parse(text) as { error: { message: string } }).error.message, place);
    }
  }
  const valid = JSON.stringify(chat('beta-4-scout'));
  assertRefusal(await raw(valid, { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
  assertRefusal(
    await raw(valid, { 'content-type': 'application/json; charset=utf-16' }),
    415,
    'unsupported_media_type',
  );
  assertRefusal(await raw(valid, { 'content-encoding': 'gzip' }), 415, 'unsupported_media_type');
  assert.equal((await raw(valid, { 'content-type': 'Application/JSON; charset=UTF-8' })).status, 200);
});

test('what a model cannot do is refused with the parameter named', async () => {
  const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }];
  assertRefusal(await atProxy(chat('alpha-R1', { tools })), 400, 'invalid_parameter', 'tools');
  assertRefusal(
    await atProxy(chat('alpha-R1', { reasoning_effort: 'low' })),
    400,
    'invalid_parameter',
    'reasoning_effort',
  );
  assertRefusal(
    await atProxy(chat('beta-4-scout', { reasoning_effort: 'low' })),
    400,
    'invalid_parameter',
    'reasoning_effort',
  );
  for (const effort of ['low', 'medium', 'high']) {
    assert.equal((await atProxy(chat('gamma-oss-120b', { reasoning_effort: effort }))).status, 200);
  }
  for (const effort of ['extreme', 'LOW', '', 1, {}]) {
    assertRefusal(
      await atProxy(chat('gamma-oss-120b', { reasoning_effort: effort })),
      400,
      'invalid_parameter',
      'reasoning_effort',
    );
  }
  const named = { type: 'function', function: { name: 'f' } };
  for (const choice of ['required', named])
    for (const offered of [undefined, [], null])
      assertRefusal(
        await atProxy(chat('beta-4-scout', { tool_choice: choice, tools: offered })),
        400,
        'invalid_parameter',
        'tool_choice',
      );
  for (const choice of ['auto', 'none'])
    assert.equal((await atProxy(chat('gamma-oss-120b', { tool_choice: choice }))).status, 200);
  assert.equal((await atProxy(chat('gamma-oss-120b', { tool_choice: named, tools }))).status, 200);
  const onText = await atDirect('gamma-oss-120b', 'completions', {
    model: 'gamma-oss-120b',
    prompt: 'x',
    reasoning_effort: 'low',
  });
  assertRefusal(onText, 400, 'invalid_parameter', 'reasoning_effort');
  assert.equal((await atProxy(chat('alpha-R1', { tools: [], reasoning_effort: null }))).status, 200);
  for (const endpoint of ['embeddings', 'tokenize']) {
    const asked = { model: 'beta-4-scout', input: 'x', prompt: 'x', stream: true };
    const streamed = await atDirect('beta-4-scout', endpoint, asked);
    assertRefusal(streamed, 400, 'invalid_parameter', 'stream');
  }
});

test('numbers and lists have ceilings, whatever form they come in', async () => {
  const tool = { type: 'function', function: { name: 'f', parameters: {} } };
  const cases: [string, unknown][] = [
    ['n', 5],
    ['n', 0],
    ['n', -1],
    ['n', 1.5],
    ['n', '2'],
    ['n', Infinity],
    ['n', true],
    ['n', [1]],
    ['best_of', 100],
    ['max_tokens', 1001],
    ['max_tokens', -1],
    ['max_tokens', 2 ** 53],
    ['max_tokens', '12'],
    ['max_completion_tokens', 1001],
    ['min_tokens', 1001],
    ['temperature', 2.5],
    ['temperature', -1],
    ['temperature', 'hot'],
    ['top_p', 2],
    ['top_logprobs', 6],
    ['presence_penalty', 3],
    ['stop', ['a', 'b', 'c', 'd', 'e']],
    ['stop', [1]],
    ['stop', { a: 1 }],
    ['stop', ''],
    ['logit_bias', { '1': 101 }],
    ['logit_bias', { x: 1 }],
    ['logit_bias', [1]],
    ['tools', [tool, tool, tool, tool]],
    ['tools', 'f'],
    ['seed', 'x'],
    ['stream', 'true'],
    ['chat_template_kwargs', { chat_template: 'x' }],
    ['messages', []],
    ['messages', 'hello'],
  ];
  for (const [param, value] of cases) {
    const literal = JSON.stringify(chat('beta-4-scout', { [param]: value })).replace(/"n":null/, '"n":1e309');
    const answer = await send(`${proxy}/chat/completions`, { headers: bearer, body: literal });
    assertRefusal(answer, 400, 'invalid_parameter', param);
  }
  for (const name of [
    'chat_template',
    'lora_path',
    'custom_logit_processor',
    'media_io_kwargs',
    'mm_processor_kwargs',
    'rid',
    'request_id',
    'priority',
    'bootstrap_host',
    'kv_transfer_params',
  ]) {
    assertRefusal(await atProxy(chat('beta-4-scout', { [name]: 'x' })), 400, 'unsupported_parameter', name);
  }
});

test('unknown fields and the order of fields reach the engine byte for byte', async () => {
  const mine = mark();
  const messages = `[ {"content":"${mine} \\u0041\\/","role":"user"} ]`;
  const body = `{ "zeta" : {"b":[1, 2.50, 1e2]},\n "model":"beta-4-scout", "messages" : ${messages},"big":12345678901234567890 }`;
  const answer = await send(`${service.direct('beta-4-scout')}/chat/completions`, { body });
  assert.equal(answer.status, 200, answer.text);
  const received = engineA.requestsMarked(mine)[0]!.body.toString();
  for (const piece of [
    '"zeta" : {"b":[1, 2.50, 1e2]}',
    `"messages" : ${messages}`,
    '"big":12345678901234567890',
    '"model":"org/beta"',
  ]) {
    assert.ok(received.includes(piece), `${piece} in ${received}`);
  }
});

test('browser apps of other origins may use the proxy door with a key', async () => {
  const origin = 'https://app.elsewhere.example';
  const asked = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-stainless-os',
  };
  const preflight = await send(`${proxy}/chat/completions`, { method: 'OPTIONS', headers: asked });
  assert.ok(preflight.status === 204 || preflight.status === 200);
  assert.ok(['*', origin].includes(String(preflight.headers['access-control-allow-origin'])));
  assert.match(String(preflight.headers['access-control-allow-headers']), /authorization|\*/i);
  assert.match(String(preflight.headers['access-control-allow-headers']), /x-stainless-os|\*/i);
  assert.equal(preflight.headers['access-control-allow-credentials'], undefined);
  for (const headers of [{ ...bearer, origin }, { origin }]) {
    const answer = await atProxy(chat('beta-4-scout'), { headers });
    assert.ok(
      ['*', origin].includes(String(answer.headers['access-control-allow-origin'])),
      'refusals can be read too',
    );
    assert.equal(answer.headers['access-control-expose-headers'], '*');
  }
});

test('the token-less door refuses pages of other origins', async () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://6.6.6.6' },
    { origin: 'http://localhost.evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://rebound.example', host: 'rebound.example', 'sec-fetch-site': 'same-origin' },
  ];
  for (const headers of foreign) {
    const answer = await atDirect('beta-4-scout', 'chat/completions', chat('beta-4-scout'), { headers });
    assertRefusal(answer, 403, 'foreign_origin');
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
    assertRefusal(await send(`${service.direct('beta-4-scout')}/models`, { headers }), 403, 'foreign_origin');
  }
  const preflight = await send(`${service.direct('beta-4-scout')}/chat/completions`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  assert.equal(preflight.headers['access-control-allow-origin'], undefined);
  const own = { origin: 'https://llm.example.org', host: 'llm.example.org', 'sec-fetch-site': 'same-origin' };
  assert.equal(
    (await atDirect('beta-4-scout', 'chat/completions', chat('beta-4-scout'), { headers: own })).status,
    200,
  );
});

test('routing never depends on the Host header or its port, and without a key the name must be ours', async () => {
  for (const host of [
    'llm.example.org',
    'LLM.example.org:9443',
    'gatehouse.internal:8080',
    '10.0.0.1:1',
    '[::1]:8080',
    'localhost',
  ]) {
    const answer = await atDirect('beta-4-scout', 'chat/completions', chat('beta-4-scout'), {
      headers: { host },
    });
    assert.equal(answer.status, 200, host);
    assert.equal((await send(`${proxy}/models`, { headers: { ...bearer, host } })).status, 200, host);
  }
  // The page of another host whose name was made to lead here; over plain HTTP a browser says no more than this.
  for (const host of [
    'rebound.example',
    'rebound.example:8080',
    'llm.example.org.rebound.example',
    '1.2.3.4.example',
  ]) {
    const refused = await send(`${service.direct('beta-4-scout')}/models`, { headers: { host } });
    assertRefusal(refused, 403, 'foreign_origin');
    assert.match(refused.error.message, /hostNames/);
    assertRefusal(await send(service.gateway.metricsUrl, { headers: { host } }), 403, 'foreign_origin');
    assert.equal((await send(`${proxy}/models`, { headers: { ...bearer, host } })).status, 200, host);
  }
});

test('a proxy that nobody declared opens no door', async () => {
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'cf-connecting-ip']) {
    const headers = { [header]: '127.0.0.1' };
    const refused = await send(`${service.direct('beta-4-scout')}/models`, { headers });
    assertRefusal(refused, 401, 'network_not_permitted');
    assert.match(refused.error.message, new RegExp(`${header}.*trustedProxies`));
    assertRefusal(await send(service.gateway.metricsUrl, { headers }), 404, 'not_found');
    assert.equal((await send(`${proxy}/models`, { headers: { ...bearer, ...headers } })).status, 200);
  }
});

test('nobody is to guess what an answer is', async () => {
  const { url } = service.gateway;
  for (const path of [
    '/',
    '/healthz',
    '/console/session',
    '/api/models',
    '/nothing',
    '/beta-4-scout/v1/models',
  ])
    assert.equal((await send(url + path)).headers['x-content-type-options'], 'nosniff', path);
  assert.match((await exchangeRaw(url, 'nonsense\r\n\r\n')).head, /^x-content-type-options: nosniff/im);
});

test('every answer carries an id of ours and tells the time the gateway itself took', async () => {
  const ids = new Set<string>();
  for (const headers of [bearer, { ...bearer, 'x-request-id': 'mine' }]) {
    const answer = await atProxy(chat('beta-4-scout'), { headers });
    const id = String(answer.headers['x-request-id']);
    assert.match(id, /^[\w-]{16,}$/);
    assert.ok(String(answer.json['id']).includes(id), 'the id of the answer is the id of the request');
    assert.match(String(answer.headers['server-timing']), /dur=/);
    ids.add(id);
  }
  assert.equal(ids.size, 2);
  const stream = await openStream(`${proxy}/chat/completions`, {
    headers: bearer,
    body: chat('beta-4-scout', { stream: true }),
  });
  await stream.ended;
  assert.match(String(stream.headers['server-timing']), /dur=/);
});

test('a key has the rights it was given, and none once it is revoked', async () => {
  const limited = await gateway.createKey({
    name: 'limited',
    models: ['beta-4-scout'],
    networks: ['127.0.0.1/32'],
  });
  const headers = { authorization: `bearer ${limited.secret}` };
  assert.equal((await atProxy(chat('beta-4-scout'), { headers })).status, 200);
  assertRefusal(await atProxy(chat('alpha-R1'), { headers }), 403, 'model_not_permitted', 'model');
  const { data } = (await send(`${proxy}/models`, { headers })).json as { data: { id: string }[] };
  assert.deepEqual(
    data.map((model) => model.id),
    ['beta-4-scout'],
  );
  assertRefusal(await atProxy(chat('beta-4-scout'), { headers, from: '127.0.0.2' }), 401, 'invalid_api_key');
  // Behind a proxy that nobody declared everybody would be in its network.
  const passedOn = { ...headers, 'x-forwarded-for': '203.0.113.9' };
  assertRefusal(await atProxy(chat('beta-4-scout'), { headers: passedOn }), 401, 'invalid_api_key');
  const running = await openStream(`${proxy}/chat/completions`, {
    headers,
    body: { model: 'beta-4-scout', stream: true, messages: ask('sim:frames=100000 sim:every=10') },
  });
  await running.untilFrames(2);
  await revokeKey(gateway.dataDir, limited.id);
  await running.ended;
  assert.equal(running.chunks().at(-1)?.error?.code, 'access_withdrawn');
  assertRefusal(await atProxy(chat('beta-4-scout'), { headers }), 401, 'invalid_api_key');
});

test('health, readiness and metrics', async () => {
  assert.equal((await send(`${gateway.url}/healthz`)).status, 200);
  assert.equal((await send(`${gateway.url}/readyz`)).status, 200);
  const metrics = await send(gateway.metricsUrl);
  assert.equal(metrics.status, 200);
  assert.match(metrics.text, /^# HELP gatehouse_/m);
  assert.ok(!metrics.text.includes(key));
});
