import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { SignedReceipt } from '#contract/receipts';
import { createSigningKey, verifyReceipt } from '#receipts';
import { startGateway } from '#harness/gateway';
import { hearStream, hearWhole } from '#harness/heard-answer';
import { openStream, send } from '#harness/http-client';
import { ask, mark } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';

const engine = await startSimulatedEngine({ flavour: 'vllm', models: ['m'] });
const folder = await mkdtemp(join(tmpdir(), 'gatehouse-receipts-'));
const settings = {
  listen: '127.0.0.1:0',
  engines: [{ name: 'one', kind: 'vllm', url: engine.url }],
  models: [
    { id: 'm', engines: ['one'], tools: true },
    { id: 'pocket', engines: ['pocket'] },
  ],
};
let gateway = await startGateway({ settings, dataDir: folder });
after(async () => {
  await gateway.stop();
  await engine.stop();
  await rm(folder, { recursive: true, force: true });
});
const mine = await gateway.createKey({ email: 'ada@example.org' });
const stranger = await gateway.createKey({ email: 'eve@example.org' });
const bearer = (key: { secret: string }) => ({ authorization: `Bearer ${key.secret}` });
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

const post = (body: object, key = mine) =>
  send(`${gateway.url}/api/chat/completions`, { headers: bearer(key), body: { model: 'm', ...body } });

const get = (requestId: unknown, key = mine) =>
  send(`${gateway.url}/api/receipts/${String(requestId)}`, { headers: bearer(key) });

async function receiptOf(answer: { readonly headers: object }): Promise<SignedReceipt> {
  const { status, text } = await get((answer.headers as Record<string, string>)['x-request-id']);
  assert.equal(status, 200, text);
  return JSON.parse(text) as SignedReceipt;
}

const sentToEngine = (word: string) =>
  JSON.parse(engine.requestsMarked(word)[0]!.body.toString()) as Record<string, unknown>;

test('a receipt says what was asked of which engine, and its digests are those of question and answer', async () => {
  const word = mark();
  const messages = ask(`${word} sim:rich sim:frames=12 "quoted" ü 🙂`);
  const stream = await openStream(`${gateway.url}/api/chat/completions`, {
    headers: bearer(mine),
    body: { model: 'm', stream: true, temperature: 0.7, verbosity: 'low', user: 'somebody', messages },
  });
  const heard = await hearStream(stream);
  const { receipt } = await receiptOf(stream);
  assert.equal(receipt.answer.sha256, sha256(heard.choices[0]!.content));
  assert.equal(receipt.prompt.sha256, sha256(JSON.stringify(messages)));
  assert.equal(receipt.model, 'm');
  assert.deepEqual(receipt.parameters, { stream: true, temperature: 0.7, verbosity: 'low' });
  assert.deepEqual(receipt.ignored_parameters, ['verbosity']);
  assert.equal(receipt.seed?.chosen_by, 'service');
  assert.equal(receipt.seed.value, sentToEngine(word)['seed'], 'the engine got the seed that is told');
  assert.equal(receipt.ending, 'completed');
  assert.ok(receipt.usage.output_tokens > 0);

  const given = mark();
  const whole = await post({ messages: ask(`${given} sim:call-tool`), seed: 7, tools: [weather] });
  const { receipt: second } = await receiptOf(whole);
  const [choice] = hearWhole(whole).choices;
  assert.equal(second.answer.sha256, sha256(choice!.content));
  const calls = choice!.calls.map((call) => `${call.name}\n${call.arguments}\n`).join('');
  assert.equal(second.tool_calls?.sha256, calls === '' ? undefined : sha256(calls));
  assert.deepEqual(second.seed, { value: 7, chosen_by: 'caller' });
  assert.equal(sentToEngine(given)['seed'], 7);

  await waitUntil('the engine has told its version', async () => {
    const { receipt: later } = await receiptOf(await post({ messages: ask('again') }));
    return later.engine.version === '0.11.0';
  });
});

const weather = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } };

test('an answer of the embedded engine names its weights and its template by their digests', async () => {
  const file = new URL('../../models/pocket-v2.gguf', import.meta.url);
  const expected = sha256(await readFile(file));
  const receipt = await waitUntil(
    'the digest is known',
    async () => {
      const misspelt = { max_token: 4, top_a: null, user: 'ada' };
      const answer = await post({ model: 'pocket', messages: ask('Hello'), max_tokens: 4, ...misspelt });
      const { receipt: found } = await receiptOf(answer);
      return found.weights.sha256 === null ? undefined : found;
    },
    60_000,
  );
  assert.equal(receipt.weights.sha256, expected);
  assert.match(receipt.chat_template.sha256 ?? '', /^[0-9a-f]{64}$/);
  assert.equal(receipt.engine.kind, 'embedded');
  assert.deepEqual(
    receipt.ignored_parameters,
    ['max_token'],
    'its own engine is known to heed no such field',
  );
});

test('the same question with the seed of its receipt gives the same answer', async () => {
  const question = { model: 'pocket', messages: ask('Say something.'), max_tokens: 12, temperature: 1 };
  const first = await post(question);
  const { receipt } = await receiptOf(first);
  const again = await post({ ...question, seed: receipt.seed?.value });
  assert.equal(hearWhole(again).choices[0]!.content, hearWhole(first).choices[0]!.content);
});

test('nobody else gets it, and what has none is not found', async () => {
  const answer = await post({ messages: ask('private') });
  const id = answer.headers['x-request-id'];
  assert.equal((await get(id)).headers['cache-control'], 'no-store');
  assert.equal((await get(id, stranger)).status, 404);
  assert.equal((await get('0198d3c0-0000-7000-8000-000000000000')).status, 404);
  assert.equal((await get('%2e%2e')).status, 404);
  const nobody = await send(`${gateway.url}/api/receipts/${String(id)}`, {});
  assert.equal(nobody.status, 401);
  const direct = await send(`${gateway.url}/m/v1/chat/completions`, {
    body: { model: 'm', messages: ask('direct') },
  });
  assert.equal(direct.status, 200);
  assert.equal((await get(direct.headers['x-request-id'])).status, 404);
});

test('anybody checks it with the public key, and notices every change', async () => {
  const answer = await post({ messages: ask('to be checked') });
  const signed = await receiptOf(answer);
  const keys = await send(`${gateway.url}/.well-known/gatehouse-receipts.json`, {});
  const files = {
    key: join(folder, 'key.json'),
    receipt: join(folder, 'receipt.json'),
    forged: join(folder, 'forged.json'),
    answer: join(folder, 'answer.txt'),
  };
  await writeFile(files.key, keys.text);
  await writeFile(files.receipt, JSON.stringify(signed, null, 4));
  const forged = { ...signed, receipt: { ...signed.receipt, model: 'better' } };
  await writeFile(files.forged, JSON.stringify(forged));
  await writeFile(files.answer, hearWhole(answer).choices[0]!.content);
  const { stdout } = await gateway.command(
    'verify',
    files.receipt,
    '--key',
    files.key,
    '--answer',
    files.answer,
  );
  assert.match(stdout, /^Verified: signed with the given key/);
  assert.match(stdout, /answer {5}SHA-256 [0-9a-f]{64}: the given text/);
  assert.match(await refused(files.forged, '--key', files.key), /something in the receipt was changed/);
  assert.match(await refused(files.receipt, '--answer', files.key), /is not the answer of this receipt/);
  const other = createSigningKey('the secret of another service');
  assert.match(verifyReceipt(signed, [other.publicKey]) ?? '', /which is not the given one/);

  async function refused(...words: string[]): Promise<string> {
    return await gateway.command('verify', ...words).then(
      () => assert.fail('it was verified'),
      (failure: { stderr: string }) => failure.stderr,
    );
  }
});

test('a killed gateway has lost no receipt, signs with the same key, and none is kept when that is off', async () => {
  const answer = await post({ messages: ask('before the kill') });
  const id = answer.headers['x-request-id'];
  await gateway.kill();
  gateway = await startGateway({ settings: { ...settings, receipts: { keep: false } }, dataDir: folder });
  const found = await waitUntil('the journal is read again', async () => {
    const { status, text } = await get(id);
    return status === 200 ? (JSON.parse(text) as SignedReceipt) : undefined;
  });
  assert.equal(found.receipt.request_id, id);
  await writeFile(join(folder, 'after.json'), JSON.stringify(found));
  const key = join(folder, 'key.json');
  const { stdout } = await gateway.command('verify', join(folder, 'after.json'), '--key', key);
  assert.match(stdout, /^Verified/);
  const word = mark();
  const off = await post({ messages: ask(word) });
  assert.equal(sentToEngine(word)['seed'], undefined);
  assert.equal((await get(off.headers['x-request-id'])).status, 404);
});
