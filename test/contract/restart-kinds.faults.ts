import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { certificate, privateKey } from '#harness/certificate';
import { type Gateway, startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
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
  await waitUntil('the successor has ended', () => !isAlive(processId), 40_000);
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

test('with TLS of our own a stream goes on, and new callers find the same certificate', async () => {
  const [keyFile, certificateFile] = [join(scratch, 'key.pem'), join(scratch, 'chain.pem')];
  writeFileSync(keyFile, privateKey, { mode: 0o600 });
  writeFileSync(certificateFile, certificate);
  await using engine = await startSimulatedEngine({ flavour: 'vllm', models: ['m'] });
  const gateway = await startGateway({
    settings: {
      listen: '127.0.0.1:0',
      tls: { certificateFile, keyFile },
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
  await waitUntil('the first pieces have arrived', () => text.includes('data: '));
  const successor = await restart(gateway);
  const later = await call('hello');
  assert.equal(later.statusCode, 200);
  later.resume();
  for (const generation of engine.marked(word)) generation.isToldToFinish = true;
  await waitUntil('the stream has ended', () => text.endsWith('data: [DONE]\n\n'));
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
  await waitUntil('the engine is loaded', isServing, 60_000);
  const stream = await openStream(url, { body: { ...body, stream: true, max_tokens: 300 } });
  await stream.untilFrames(2);
  const successor = await restart(gateway);
  assert.equal(await stream.ended, 'complete');
  assert.equal(stream.frames().at(-1), '[DONE]');
  assert.ok(stream.chunks().every(({ error }) => error === undefined));
  await waitUntil('the engine of the new process answers', isServing, 60_000);
  await gateway.exited;
  assert.equal(await isServing(), true);
  await end(successor);
  await gateway.stop();
});
