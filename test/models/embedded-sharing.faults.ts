import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startGateway } from '#harness/gateway';
import { send } from '#harness/http-client';
import { waitUntil } from '#harness/wait-until';

const modelFile = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));
const fuseMs = 120_000;
const ofTheFlood = 7;

const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    // Prompts are shared here, so that a salt does not tell one member from another.
    projects: [{ id: 'course', sharesPrompts: true }],
    engines: [
      {
        name: 'engine',
        kind: 'embedded',
        modelFile,
        threads: 1,
        gpu: 'off',
        maxConcurrent: ofTheFlood + 1,
        context: 2048,
      },
    ],
    models: [{ id: 'tiny', engines: ['engine'], template: { enable_thinking: false } }],
  },
});
after(() => gateway.stop());

test('whoever asks one thing is answered before most of what somebody else has asked earlier', async () => {
  const [heavy, light] = await Promise.all(['heavy@example.org', 'light@example.org'].map(keyOf));
  const answered: string[] = [];
  const ask = async (name: string, secret: string | undefined): Promise<void> => {
    const { status } = await send(`${gateway.url}/api/chat/completions`, {
      headers: { authorization: `bearer ${secret}` },
      body: {
        model: 'tiny',
        max_tokens: 1,
        messages: [{ role: 'user', content: `${name} ${longText}` }],
      },
    });
    assert.equal(status, 200);
    answered.push(name);
  };
  const flood = Array.from({ length: ofTheFlood }, (_unused, index) => ask(`heavy ${index}`, heavy));
  await waitUntil('the engine has the flood in hand', async () => (await running()) >= ofTheFlood, fuseMs);
  await Promise.all([...flood, ask('light', light)]);
  assert.ok(answered.indexOf('light') <= ofTheFlood / 2, answered.join(', '));
});

const longText = Array.from({ length: 150 }, (_unused, index) => 100 + ((index * 137) % 900)).join(' ');

async function keyOf(email: string): Promise<string> {
  return (await gateway.createKey({ email, project: 'course' })).secret;
}

async function running(): Promise<number> {
  const [name] = readdirSync(join(gateway.dataDir, 'run'));
  const told = name === undefined ? '' : await metrics(join(gateway.dataDir, 'run', name));
  return Number(/^gatehouse_engine_requests_running (\d+)$/m.exec(told)?.[1] ?? 0);
}

/** Nothing while the engine is not there yet. */
function metrics(socketPath: string): Promise<string> {
  return new Promise((resolve) => {
    request({ socketPath, path: '/metrics' }, (answer) => resolve(text(answer)))
      .on('error', () => resolve(''))
      .end();
  });
}
