import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SentRequest } from './caller.ts';
import { baseUrl } from './neighbourhood.ts';
import type { Neighbourhood } from './neighbourhood.ts';
import { chat, models } from './questions.ts';

/** An instance inside needs no token; a host outside gets nothing without one. */
export function proveDoors({ hosts, curl, key, onInstance, onLaptop }: Neighbourhood): void {
  test('an instance inside calls the direct door without a token, with curl', async () => {
    for (const [model, path] of models) {
      const base = `${baseUrl}/${path}/v1`;
      const listed = await curl(hosts.instance, `${base}/models`);
      assert.equal(listed.status, 200, listed.body);
      assert.deepEqual(
        (JSON.parse(listed.body) as { data: { id: string }[] }).data.map(({ id }) => id),
        [model],
      );
      const text = await curl(hosts.instance, `${base}/completions`, {
        body: { model, prompt: 'Once upon a time', max_tokens: 8 },
      });
      assert.equal(text.status, 200, text.body);
      assert.match(text.body, /"text_completion"/);
      const answer = await curl(hosts.instance, `${base}/chat/completions`, { body: chat(model) });
      assert.equal(answer.status, 200, answer.body);
      assert.match(answer.body, /"chat\.completion"/);
      const streamed = await curl(hosts.instance, `${base}/chat/completions`, {
        body: chat(model, { stream: true }),
      });
      assert.equal(streamed.status, 200, streamed.body);
      assert.match(streamed.body, /^data: \{/);
      assert.match(streamed.body, /data: \[DONE\]\s*$/);
    }
  });

  test('the official client works there with any string for a key', async () => {
    const said = await onInstance.useClient({
      baseUrl: `${baseUrl}/beta-4-scout/v1`,
      apiKey: 'none-needed',
      model: 'beta-4-scout',
      hasCompletions: true,
    });
    assert.deepEqual(said.models, ['beta-4-scout']);
    assert.ok(said.chat !== '' && said.streamed !== '' && said.completion !== '', JSON.stringify(said));
  });

  test('a host outside is refused at every direct address, however it is spelt', async () => {
    const requests = everyDirectAddress(key);
    const replies = await onLaptop.sendAll(requests);
    for (const [index, reply] of replies.entries()) {
      const what = `${JSON.stringify(requests[index])} → ${reply.status} ${reply.text}`;
      assert.equal(reply.status, 401, what);
      if (requests[index]?.method === 'HEAD') continue;
      const { error } = JSON.parse(reply.text) as { error: { message: string; type: string; code?: string } };
      // The dialect of Messages has kinds of errors and no codes.
      const isMessages = requests[index]?.url.includes('/messages') === true;
      if (isMessages) assert.equal(error.type, 'authentication_error', what);
      else assert.equal(error.code, 'network_not_permitted', what);
      assert.ok(error.message.includes('10.88.0.2'), what);
      assert.ok(error.message.includes(`${baseUrl}/api/`), what);
    }
    const spelt = await onLaptop.sendAll(withTwoReadings.map((target) => ({ url: baseUrl, target })));
    for (const [index, reply] of spelt.entries())
      assert.equal(reply.status, 400, `${withTwoReadings[index]} → ${reply.status} ${reply.text}`);
  });

  test('the same host is served at the proxy door with a key, and not without', async () => {
    const url = `${baseUrl}/api/chat/completions`;
    for (const [model] of models) {
      assert.equal((await curl(hosts.laptop, url, { body: chat(model) })).status, 401);
      assert.equal((await curl(hosts.laptop, url, { body: chat(model), key: `${key}x` })).status, 401);
      const whole = await curl(hosts.laptop, url, { body: chat(model), key });
      assert.equal(whole.status, 200, whole.body);
      const streamed = await curl(hosts.laptop, url, { body: chat(model, { stream: true }), key });
      assert.match(streamed.body, /data: \[DONE\]\s*$/);
    }
    const said = await onLaptop.useClient({
      baseUrl: `${baseUrl}/api`,
      apiKey: key,
      model: 'gamma-oss-120b',
      hasCompletions: false,
    });
    assert.equal(said.models.length, 3);
  });
}

const endpoints = [
  'chat/completions',
  'completions',
  'embeddings',
  'responses',
  'messages',
  'messages/count_tokens',
  'tokenize',
  'detokenize',
  'score',
  'rerank',
];

function everyDirectAddress(key: string): SentRequest[] {
  const requests: SentRequest[] = [];
  for (const [model, path] of models) {
    const body = chat(model);
    for (const endpoint of endpoints) requests.push({ url: `${baseUrl}/${path}/v1/${endpoint}`, body });
    for (const rest of [
      '',
      '/',
      '/v1',
      '/v1/',
      '/v1/models',
      '/models',
      '/v1/v1/models',
      '/v1/nothing',
      '/metrics',
    ])
      requests.push({ url: `${baseUrl}/${path}${rest}` });
    requests.push({ url: `${baseUrl}/${path}/v1/models/${model}` });
    for (const target of [
      `//${path}//v1//models`,
      `/${path.toUpperCase()}/v1/models`,
      `/%${path.charCodeAt(0).toString(16)}${path.slice(1)}/v1/models`,
      `/${path}%2Fv1%2Fmodels`,
      `/${path}/V1/models?api-version=1&key=${key}`,
      `http://localhost/${path}/v1/models`,
      `https://127.0.0.1:443/${path}/v1/models`,
    ])
      requests.push({ url: baseUrl, target });
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
      requests.push({ url: `${baseUrl}/${path}/v1/models`, method });
    for (const headers of pretences(key)) requests.push({ url: `${baseUrl}/${path}/v1/models`, headers });
  }
  return requests;
}

/** Headers with which somebody could hope to pass for somebody else. A key opens the other door only. */
function pretences(key: string): Readonly<Record<string, string>>[] {
  return [
    { authorization: `Bearer ${key}` },
    { host: 'localhost' },
    { host: '127.0.0.1' },
    { 'x-forwarded-for': '10.77.0.3' },
    { 'x-forwarded-for': '127.0.0.1, 10.77.0.3, ::1' },
    { 'x-forwarded-for': '::ffff:10.77.0.3' },
    { forwarded: 'for=10.77.0.3;proto=https;by=10.77.0.4' },
    { 'x-real-ip': '10.77.0.3' },
    { 'x-client-ip': '10.77.0.3', 'true-client-ip': '10.77.0.3', 'cf-connecting-ip': '10.77.0.3' },
    { 'x-forwarded-host': 'localhost', 'x-original-url': '/api/models', 'x-rewrite-url': '/healthz' },
  ];
}

const withTwoReadings = [
  '/api/../beta-4-scout/v1/models',
  '/healthz/..%2fbeta-4-scout/v1/models',
  '/api/%2e%2e/beta-4-scout/v1/models',
  '/%252562eta-4-scout/v1/models',
  '/.//beta-4-scout/./v1/models',
  '/healthz\\..\\beta-4-scout/v1/models',
];
