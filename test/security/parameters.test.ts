import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { send } from '#harness/http-client';
import { ask, mark, startService } from '#harness/service';

const service = await startService({});
after(() => service[Symbol.asyncDispose]());
const { engineA, gateway } = service;
const direct = service.direct('beta-4-scout');
const post = (body: object, endpoint = 'chat/completions') =>
  send(`${direct}/${endpoint}`, { body: { model: 'beta-4-scout', ...body } });
const chat = (extra: object) => post({ messages: ask('hello'), ...extra });

test('ceilings hold under every name by which engines know them', async () => {
  const refused: readonly object[] = [
    { n_predict: 10_000_000 },
    { n_predict: -1 },
    { max_new_tokens: 10_000_000 },
    { n_probs: 5000 },
    { grammar: 'x'.repeat(100_000) },
    { guided_json: { enum: ['x'.repeat(5_000_000)] } },
    { something_new: 'x'.repeat(20_000) },
    { something_new: { deep: ['x'.repeat(20_000)] } },
    { mcp_servers: [{ url: 'http://x' }] },
  ];
  for (const extra of refused) {
    const answer = await chat(extra);
    assert.equal(answer.status, 400, JSON.stringify(extra).slice(0, 80));
    assert.equal(answer.error.param, Object.keys(extra)[0]);
  }
  const prompts = await post({ prompt: Array.from({ length: 100_000 }, () => 'a') }, 'completions');
  assert.deepEqual([prompts.status, prompts.error.param], [400, 'prompt']);
  assert.equal((await chat({ something_new: { small: true }, another: 3, third: 'short' })).status, 200);
});

test('the same name in other letters is no way around', async () => {
  for (const extra of [{ Model: 'gamma-oss-120b' }, { N: 64 }, { Max_Tokens: 1e9 }, { Cache_Salt: 'x' }]) {
    const answer = await chat(extra);
    assert.deepEqual([answer.status, answer.error.code], [400, 'unsupported_parameter']);
  }
});

test('no field names an address that an engine would fetch', async () => {
  const mine = mark();
  const image = (url: string) => ({ type: 'image_url', image_url: { url } });
  const bodies: readonly [string, object][] = [
    ['score', { data_1: [{ content: [image(`http://169.254.169.254/${mine}`)] }], data_2: ['x'] }],
    ['score', { queries: { content: [image(`http://x/${mine}`)] }, items: ['x'] }],
    ['messages', { max_tokens: 5, system: [image(`http://x/${mine}`)], messages: ask('x') }],
    ['responses', { input: 'x', tools: [{ type: 'mcp', server_url: `http://x/${mine}` }] }],
    ['chat/completions', { messages: [{ role: 'user', content: [image(`pictures/${mine}.png`)] }] }],
    ['chat/completions', { messages: ask('x'), server_url: `http://x/${mine}` }],
  ];
  for (const [endpoint, body] of bodies) {
    const answer = await post(body, endpoint);
    assert.equal(answer.status, 400, `${endpoint} ${JSON.stringify(body).slice(0, 80)}`);
  }
  assert.equal(engineA.requestsMarked(mine).length, 0);
});

test('the engine is given a salt for each member, and nobody can choose their own', async () => {
  const saltOf = async (email: string) => {
    const mine = mark();
    const { secret } = await gateway.createKey({ email });
    await send(`${service.proxy}/chat/completions`, {
      headers: { authorization: `bearer ${secret}` },
      body: { model: 'beta-4-scout', messages: ask(mine) },
    });
    const [request] = engineA.requestsMarked(mine);
    return (JSON.parse(String(request?.body)) as { cache_salt?: string }).cache_salt;
  };
  const [one, again, other] = [
    await saltOf('a@example.org'),
    await saltOf('a@example.org'),
    await saltOf('b@example.org'),
  ];
  assert.match(String(one), /^[0-9a-f]{32}$/);
  assert.equal(one, again);
  assert.notEqual(one, other);
  for (const reaching of [{ cache_salt: 'mine' }, { expected_text: 'Anything.' }])
    assert.equal((await chat(reaching)).status, 400);
});
