import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type OpenAI from 'openai';
import { writeCertificate } from '#harness/certificate';
import { type Gateway, startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { isAlive } from '#harness/is-alive';
import { ask, mark } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';

/** A restart under streams where more than a plain socket and a distant engine have to be handed on. */
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-restart-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

async function restart(gateway: Gateway): Promise<number> {
  const { stdout } = await gateway.command('restart');
  const successor = Number(/^Process (\d+) serves/.exec(stdout)?.[1]);
  assert.ok(successor > 0, stdout);
  return successor;
}

async function end(processId: number): Promise<void> {
  process.kill(processId, 'SIGTERM');
  await waitUntil('the successor has ended', () => !isAlive(processId));
}

test('with TLS of our own a stream goes on, and new callers find the same certificate', async () => {
  await using engine = await startSimulatedEngine({ flavour: 'vllm', models: ['m'] });
  const gateway = await startGateway({
    settings: {
      listen: '127.0.0.1:0',
      tls: writeCertificate(scratch),
      engines: [{ name: 'one', kind: 'vllm', url: engine.url }],
      models: [{ id: 'm', engines: ['one'] }],
    },
  });
  const call = (content: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request(`${gateway.url}/m/v1/chat/completions`, {
        method: 'POST',
        agent: false,
        rejectUnauthorized: false,
        headers: { 'content-type': 'application/json' },
      });
      outgoing.on('response', resolve).on('error', reject);
      outgoing.end(JSON.stringify({ model: 'm', stream: true, messages: ask(content) }));
    });
  const word = mark();
  const running = await call(`${word} sim:frames=100000 sim:every=20`);
  let text = '';
  running.on('data', (part: Buffer) => (text += part.toString()));
  const session = connect(gateway.url, { rejectUnauthorized: false });
  const stream = session.request({
    ':method': 'POST',
    ':path': '/m/v1/chat/completions',
    'content-type': 'application/json',
  });
  let multiplexed = '';
  stream.on('data', (part: Buffer) => (multiplexed += part.toString()));
  stream.end(
    JSON.stringify({ model: 'm', stream: true, messages: ask(`${word} sim:frames=100000 sim:every=20`) }),
  );
  await waitUntil(
    'the first pieces have arrived',
    () => text.includes('data: ') && multiplexed.includes('data: '),
  );
  const successor = await restart(gateway);
  const later = await call('hello');
  assert.equal(later.statusCode, 200);
  later.resume();
  for (const generation of engine.marked(word)) generation.isToldToFinish = true;
  await waitUntil('the stream has ended', () => text.endsWith('data: [DONE]\n\n'));
  await waitUntil('and that of HTTP/2, with its session', () => stream.closed && session.closed);
  assert.ok(multiplexed.endsWith('data: [DONE]\n\n'));
  assert.equal(await gateway.exited, 0);
  await end(successor);
  await gateway.stop();
});

test('with an embedded engine the old one writes to the end, and the new process has one of its own', async () => {
  const modelFile = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));
  const engine = { kind: 'embedded', modelFile, threads: 1, gpu: 'off', maxConcurrent: 4, context: 512 };
  const gateway = await startGateway({
    settings: {
      listen: '127.0.0.1:0',
      engines: [{ name: 'own', ...engine }],
      models: [{ id: 'tiny', engines: ['own'] }],
    },
  });
  const url = `${gateway.url}/tiny/v1/chat/completions`;
  const body = { model: 'tiny', messages: ask('Tell me a long story about a fox.'), temperature: 0 };
  const isServing = async () => (await send(url, { body: { ...body, max_tokens: 2 } })).status === 200;
  await waitUntil('the engine is loaded', isServing);
  const stream = await openStream(url, { body: { ...body, stream: true, max_tokens: 300 } });
  await stream.untilFrames(2);
  const successor = await restart(gateway);
  assert.equal(await stream.ended, 'complete');
  assert.equal(stream.frames().at(-1), '[DONE]');
  assert.ok(stream.chunks().every(({ error }) => error === undefined));
  await waitUntil('the engine of the new process answers', isServing);
  await gateway.exited;
  assert.equal(await isServing(), true);
  await end(successor);
  await gateway.stop();
});

test('responses in the background are lost by no restart, no kill and no stop; with what nobody can go on is failed', async (t) => {
  await using engine = await startSimulatedEngine({ flavour: 'vllm', models: ['m'] });
  const settings = {
    listen: '127.0.0.1:0',
    restartDrain: '2s',
    drain: '0s',
    engines: [{ name: 'one', kind: 'vllm', url: engine.url }],
    models: [{ id: 'm', engines: ['one'] }],
  };
  const dataDir = join(scratch, 'responses');
  mkdirSync(dataDir);
  let gateway = await startGateway({ settings, dataDir });
  let successor = 0;
  t.after(async () => {
    if (successor > 0 && isAlive(successor)) process.kill(successor, 'SIGKILL');
    await gateway.stop();
  });
  const respond = async (word: string) => {
    const body = { model: 'm', input: `${word} sim:frames=100000 sim:every=20`, background: true };
    const id = String((await send(`${gateway.url}/m/v1/responses`, { body })).json['id']);
    await waitUntil('it is being written', async () => (await read(id))['status'] === 'in_progress');
    return id;
  };
  const read = async (id: string) => (await send(`${gateway.url}/m/v1/responses/${id}`)).json;
  const filesOf = (id: string) =>
    readdirSync(join(dataDir, 'background'))
      .map((name) => join(dataDir, 'background', name, id))
      .filter((file) => existsSync(file));
  const [word, other] = [mark(), mark()];
  const [kept, unwanted] = [await respond(word), await respond(other)];
  successor = await restart(gateway);
  const url = `${gateway.url}/m/v1/responses/${unwanted}/cancel`;
  assert.equal((await send(url, { method: 'POST' })).json['status'], 'cancelled', 'by the new process');
  const events = await openStream(`${gateway.url}/m/v1/responses/${kept}?stream=true`, {});
  await events.untilFrames(5);
  assert.equal(await gateway.exited, 0);
  const [, second] = await waitUntil('the new process goes on with it', () => {
    const generations = engine.marked(word);
    return generations.length >= 2 ? generations : undefined;
  });
  second!.isToldToFinish = true;
  await waitUntil('it is written', async () => (await read(kept))['status'] === 'completed');
  assert.equal(await events.ended, 'complete', 'whoever follows it notices nothing');
  assert.match(events.frames().at(-1) ?? '', /^\{"type":"response.completed"/);
  assert.equal(engine.marked(word).length, 2);
  assert.equal((await read(unwanted))['status'], 'cancelled');

  const killed = await respond(other);
  const follower = await openStream(`${gateway.url}/m/v1/responses/${killed}?stream=true`, {});
  await follower.untilFrames(10);
  await waitUntil('it is written down', () => filesOf(killed).some((file) => statSync(file).size > 0));
  process.kill(successor, 'SIGKILL');
  await waitUntil('it is dead', () => !isAlive(successor));
  gateway = await startGateway({ settings, dataDir });
  await waitUntil('the next process goes on with it', () => engine.marked(other).length === 3);
  assert.equal((await read(killed))['status'], 'in_progress');
  const [lost, given] = [await respond(mark()), await respond(mark())];
  await gateway.stop();
  // As if the folder had been lost with a disk.
  for (const file of filesOf(lost)) rmSync(file);
  // As after the start of a machine: the engine needs longer than the gateway.
  await engine.refuseConnections();
  gateway = await startGateway({ settings, dataDir });
  await waitUntil('no engine is there', () => gateway.logs().includes('engine put aside'));
  const body = { model: 'm', input: 'sim:frames=3', background: true };
  const asked = (await send(`${gateway.url}/m/v1/responses`, { body })).json;
  const stopped = await send(`${gateway.url}/m/v1/responses/${given}/cancel`, { method: 'POST' });
  assert.equal(stopped.json['status'], 'cancelled', 'while it waits');
  for (const id of [killed, String(asked['id'])])
    assert.match(String((await read(id))['status']), /^(?:queued|in_progress)$/);
  await engine.acceptAgain();
  await waitUntil('what is new waited too', async () => {
    const { status } = await read(String(asked['id']));
    assert.match(String(status), /^(?:queued|in_progress|completed)$/);
    return status === 'completed';
  });
  const last = await waitUntil('the next one goes on with it too', () => engine.marked(other)[3]);
  const error = await waitUntil('nobody writes the other one', async () => (await read(lost))['error']);
  assert.match(JSON.stringify(error), /"code":"server_error".*Send the request again/);
  last.isToldToFinish = true;
  const { output } = await waitUntil('it is written', async () => {
    const response = (await read(killed)) as unknown as OpenAI.Responses.Response;
    assert.match(String(response.status), /^(?:in_progress|completed)$/);
    return response.status === 'completed' ? response : undefined;
  });
  const words = JSON.stringify(output).match(/w\d+ /g) ?? [];
  assert.deepEqual(
    words,
    words.map((_, index) => `w${index} `),
    'no gap, none twice',
  );
  const written = await send(`${gateway.url}/m/v1/responses/${killed}?stream=true`);
  const numbers = [...written.text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
  assert.deepEqual(numbers, [...numbers.keys()]);
  assert.equal(engine.marked(other).length, 4);
  assert.equal((await read(given))['status'], 'cancelled');
  await waitUntil('nothing is left of it', () => filesOf(killed).length === 0);
});
