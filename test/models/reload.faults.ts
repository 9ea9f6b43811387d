import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startGateway } from '#harness/gateway';
import { openStream, send } from '#harness/http-client';
import { waitUntil } from '#harness/wait-until';

const modelFile = fileURLToPath(new URL('../../models/pocket-v2.gguf', import.meta.url));
const fuseMs = 120_000;
const settingsWith = (change: { readonly temperature: number; readonly context: number }): object => ({
  listen: '127.0.0.1:0',
  engines: [
    {
      name: 'pocket',
      kind: 'embedded',
      modelFile,
      threads: 1,
      gpu: 'off',
      maxConcurrent: 8,
      context: change.context,
    },
  ],
  models: [
    {
      id: 'tiny',
      path: 'tiny',
      engines: ['pocket'],
      template: { enable_thinking: false },
      sampling: { temperature: change.temperature },
    },
  ],
});

test('running answers of the embedded engine survive a reload, and new ones follow the new settings', async () => {
  await using gateway = await startGateway({ settings: settingsWith({ temperature: 1.5, context: 1024 }) });
  const url = `${gateway.url}/tiny/v1/chat/completions`;
  const messages = [{ role: 'user', content: 'Tell me a story about the sea.' }];
  const openSix = async () => {
    const body = { model: 'tiny', messages, stream: true, ignore_eos: true, max_tokens: 240 };
    const streams = await Promise.all(Array.from({ length: 6 }, () => openStream(url, { body })));
    await Promise.all(streams.map((stream) => stream.untilFrames(3)));
    return streams;
  };
  const expectWhole = async (streams: Awaited<ReturnType<typeof openSix>>) => {
    for (const stream of streams) {
      assert.equal(await stream.ended, 'complete');
      assert.equal(stream.frames().at(-1), '[DONE]');
      assert.equal(stream.chunks().at(-1)?.choices[0]?.finish_reason, 'length');
    }
  };

  const first = await openSix();
  const [engine] = childrenOf(gateway.pid);
  await gateway.rewriteSettings(settingsWith({ temperature: 0, context: 1024 }));
  await waitUntil(
    'the new temperature is in use',
    async () => {
      const ask = { body: { model: 'tiny', messages, max_tokens: 12 } };
      const [one, other] = await Promise.all([send(url, ask), send(url, ask)]);
      return textOf(one.json) === textOf(other.json);
    },
    fuseMs,
  );
  await expectWhole(first);
  assert.deepEqual(childrenOf(gateway.pid), [engine], 'a temperature needs no new process');

  const second = await openSix();
  await gateway.rewriteSettings(settingsWith({ temperature: 0, context: 768 }));
  await waitUntil(
    'the new context is in use',
    async () => {
      const long = { model: 'tiny', messages, max_tokens: 900 };
      return /maximum context length is 768/.test((await send(url, { body: long })).text);
    },
    fuseMs,
  );
  await expectWhole(second);
  await waitUntil('the old engine is gone', () => !childrenOf(gateway.pid).includes(engine ?? 0), fuseMs);
  assert.equal(childrenOf(gateway.pid).length, 1);
});

function textOf(answer: Record<string, unknown>): unknown {
  return (answer as { choices?: { message: { content: string } }[] }).choices?.[0]?.message.content;
}

function childrenOf(processId: number): number[] {
  return readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8')
    .split(' ')
    .filter((word) => word.trim() !== '')
    .map(Number);
}
