import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startGateway } from '#harness/gateway';
import { send } from '#harness/http-client';
import { waitUntil } from '#harness/wait-until';

const modelFile = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));
const fuseMs = 120_000;

test('a request with which an embedded engine died is given to no other one', async () => {
  const embedded = { kind: 'embedded', modelFile, threads: 1, gpu: 'off', maxConcurrent: 2, context: 1024 };
  const engines = ['one', 'two'].map((name) => ({ name, ...embedded }));
  await using gateway = await startGateway({
    settings: {
      listen: '127.0.0.1:0',
      engines,
      models: [{ id: 'tiny', engines: ['one', 'two'], template: { enable_thinking: false } }],
    },
  });
  const url = `${gateway.url}/tiny/v1/chat/completions`;
  const messages = [{ role: 'user', content: 'Tell me a story.' }];
  const ask = (body: object) => send(url, { body: { model: 'tiny', messages, ...body } });
  const sockets = await waitUntil(
    'both engines listen',
    () => {
      const names = readdirSync(join(gateway.dataDir, 'run'));
      return names.length === 2 && names.map((name) => join(gateway.dataDir, 'run', name));
    },
    fuseMs,
  );

  // Two choices, to be told from the gateway's own tiny questions.
  const poison = ask({ max_tokens: 900, ignore_eos: true, n: 2 });
  const socketPath = await waitUntil(
    'an engine has the request',
    async () => {
      for (const candidate of sockets)
        if (/^gatehouse_engine_requests_running 2$/m.test(await read(candidate, '/metrics')))
          return candidate;
      return undefined;
    },
    fuseMs,
  );
  process.kill(holderOf(socketPath, gateway.pid), 'SIGKILL');
  const answer = await poison;
  assert.deepEqual([answer.status, answer.error.code], [502, 'engine_failed']);
  assert.equal((await ask({ max_tokens: 2 })).status, 200);
});

/** The engine that was started with this socket. */
function holderOf(socketPath: string, gatewayId: number): number {
  const children = readFileSync(`/proc/${gatewayId}/task/${gatewayId}/children`, 'utf8').trim().split(' ');
  const holder = children.find((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(socketPath),
  );
  return Number(holder);
}

function read(socketPath: string, path: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const asked = request({ socketPath, path, agent: false }, (response) => {
    response.toArray().then((chunks: Buffer[]) => resolve(Buffer.concat(chunks).toString('utf8')), reject);
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}
