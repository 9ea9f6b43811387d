import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { mark } from '#harness/service';
import { startSimulatedEngine } from '#harness/simulated-engine';
import { waitUntil } from '#harness/wait-until';

const modelFile = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));
const fuseMs = 120_000;

const embedded = { kind: 'embedded', modelFile, threads: 1, gpu: 'off', maxConcurrent: 2, context: 1024 };
const other = await startSimulatedEngine({ flavour: 'vllm', models: ['mixed'] });
const gateway = await startGateway({
  settings: {
    listen: '127.0.0.1:0',
    engines: [
      ...['one', 'two'].map((name) => ({ name, ...embedded })),
      { name: 'other', kind: 'vllm', url: other.url },
    ],
    models: [
      { id: 'tiny', engines: ['one', 'two'], template: { enable_thinking: false } },
      { id: 'thinker', engines: ['one', 'two'], reasoning: 'separate' },
      { id: 'mixed', engines: ['other', 'one'], template: { enable_thinking: false } },
    ],
  },
});
after(async () => {
  await gateway.stop();
  await other.stop();
});

const messages = [{ role: 'user', content: 'Tell me a story.' }];
const urlOf = (model: string) => `${gateway.url}/${model}/v1/chat/completions`;
const ask = (body: object) => send(urlOf('tiny'), { body: { model: 'tiny', messages, ...body } });

/** The sockets of both engines, once they are ready for work. */
function listening(): Promise<string[]> {
  return waitUntil(
    'both engines listen',
    async () => {
      const names = readdirSync(join(gateway.dataDir, 'run'));
      const sockets = names.map((name) => join(gateway.dataDir, 'run', name));
      const answers = await Promise.allSettled(sockets.map((socket) => read(socket, '/metrics')));
      return answers.filter(({ status }) => status === 'fulfilled').length === 2 && sockets;
    },
    fuseMs,
  );
}

/** Kills the engine on which so many sequences run, and waits for its successor. */
async function killBusy(count: string): Promise<void> {
  const sockets = await listening();
  const socketPath = await waitUntil(
    'an engine has the work',
    async () => {
      for (const candidate of sockets)
        if (
          new RegExp(`^gatehouse_engine_requests_running ${count}$`, 'm').test(
            await read(candidate, '/metrics'),
          )
        )
          return candidate;
      return undefined;
    },
    fuseMs,
  );
  process.kill(holderOf(socketPath, gateway.pid), 'SIGKILL');
}

test('a request with which an embedded engine died is given to no other one', async () => {
  await listening();
  // Two choices, to be told from the gateway's own tiny questions.
  const poison = ask({ max_tokens: 900, ignore_eos: true, n: 2 });
  await killBusy('2');
  const answer = await poison;
  assert.deepEqual([answer.status, answer.error.code], [502, 'engine_failed']);
  assert.equal((await ask({ max_tokens: 2 })).status, 200);
});

test('answers whose engine was killed go on to the letter on another one', async () => {
  await listening();
  const questions: readonly [model: string, question: string, temperature: number][] = [
    ['tiny', 'Tell me a story about a fox.', 0],
    ['thinker', 'What is 17 + 25?', 0],
    // With a seed it is as exact as without chance.
    ['thinker', 'Name three colours.', 1],
    ['tiny', 'How do I boil an egg?', 1],
  ];
  const open = (model: string, content: string, temperature: number) =>
    openStream(urlOf(model), {
      body: {
        model,
        messages: [{ role: 'user', content }],
        stream: true,
        stream_options: { include_usage: true },
        temperature,
        seed: 7,
        max_tokens: 160,
      },
    });
  const heard = async (stream: Awaited<ReturnType<typeof open>>) => {
    await stream.ended;
    const chunks = stream.chunks();
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    return {
      error: chunks.find(({ error }) => error !== undefined)?.error,
      roles: deltas.filter((delta) => 'role' in delta).length,
      ids: new Set(chunks.map(({ id }) => id)).size,
      thoughts: deltas.map((delta) => (delta['reasoning'] as string | undefined) ?? '').join(''),
      content: deltas.map((delta) => (delta['content'] as string | undefined) ?? '').join(''),
      tokens: [chunks.at(-1)?.usage?.['prompt_tokens'], chunks.at(-1)?.usage?.['completion_tokens']],
    };
  };
  const undisturbed = [];
  for (const question of questions) undisturbed.push(await heard(await open(...question)));

  const streams = await Promise.all(questions.map((question) => open(...question)));
  await Promise.all(streams.map((stream) => stream.untilFrames(6)));
  await killBusy('[12]');
  assert.deepEqual(await Promise.all(streams.map(heard)), undisturbed);
  const continued = () => gateway.usageRecords().filter(({ continuations }) => continuations === 1);
  await waitUntil('the books know', () => continued().length > 0);
});

test('what an engine of another make has begun goes on by its words, since it is written in others once more', async () => {
  await listening();
  const continued = await waitUntil(
    'an answer began on the other engine, and went on',
    async () => {
      const stream = await openStream(urlOf('mixed'), {
        body: {
          model: 'mixed',
          messages: [{ role: 'user', content: `${mark()} sim:frames=40 sim:die-after=6` }],
          stream: true,
          temperature: 0,
          max_tokens: 20,
        },
      });
      assert.equal(await stream.ended, 'complete');
      return stream.chunks().some((chunk) => 'gatehouse' in chunk) ? stream.chunks() : undefined;
    },
    fuseMs,
  );
  const said = continued
    .flatMap(({ choices }) => choices.map(({ delta }) => (delta['content'] as string | undefined) ?? ''))
    .join('');
  assert.match(said, /^w0 w1 w2 (w3 )?(?!w0)/);
  assert.equal(continued.find(({ error }) => error !== undefined)?.error, undefined);
  assert.equal(new Set(continued.map(({ id }) => id)).size, 1);
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
