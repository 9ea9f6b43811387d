import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { ParsedRequest } from '#vocabulary/inference';
import { AnswerDigest } from './answer-digest.ts';
import { createPromptDigests } from './prompt-digest.ts';

const asked = { endpoint: 'chat/completions', sequences: 1, wantsStream: false } as ParsedRequest;
const calls = [{ function: { name: 'add', arguments: '{"a":1}' } }];

/** What a caller who parses the answer finds in its first choice. */
const messages: readonly object[] = [
  { role: 'assistant', content: 'plain' },
  { role: 'assistant', content: '' },
  { role: 'assistant', content: 'Grüße, 你好 🙂' },
  { role: 'assistant', content: 'a "quote", a \\ and a\nline' },
  { role: 'assistant', content: '{"content":"not this"}' },
  { role: 'assistant', content: 'thought first', reasoning_content: 'hm', tool_calls: [] },
  { role: 'content', content: 'a key as a value' },
  { content: 'calls too', tool_calls: calls },
  { tool_calls: calls, content: null },
  { role: 'assistant', content: null },
  { parts: [{ content: 'deeper' }], content: null },
  { parts: [{ content: 'deeper' }], content: 'the one' },
];

test('the digest of a whole answer is that of the text its reader gets, however the answer is written', () => {
  for (const message of messages)
    for (const logprobs of [null, { content: [{ token: 'a' }] }])
      for (const indent of [0, 1]) {
        const answer = { choices: [{ index: 0, message, logprobs }], usage: {} };
        const { content = null } = message as { content?: string | null };
        const digest = new AnswerDigest(asked).read([Buffer.from(JSON.stringify(answer, null, indent))]);
        const text = Buffer.from(content ?? '');
        assert.deepEqual(digest.answer, { sha256: hash('sha256', text), bytes: text.length });
        const called = 'tool_calls' in message && message.tool_calls === calls;
        assert.equal(digest.toolCalls?.bytes, called ? 'add\n{"a":1}\n'.length : undefined);
      }
});

test('the digest of a question is the same whenever it is read, and a body that was given back harms nobody', async () => {
  const digests = createPromptDigests();
  const ask = (bytes: number) => {
    const body = Buffer.from(`{"messages":"${'é'.repeat(bytes / 2)}"}`);
    const field = { kind: 'string', keyStart: 1, valueStart: 12, valueEnd: body.length - 1 };
    const exchange = { reply: { hasEnded: false }, cancellation: { isCancelled: false } };
    const fields = new Map([['messages', field]]);
    const prompt = body.subarray(12, -1);
    const digest = digests.open({ envelope: { body, fields }, exchange } as unknown as ParsedRequest);
    return { body, digest, expected: { sha256: hash('sha256', prompt), bytes: prompt.length } };
  };
  const sizes = [2, 65_532, 65_534, 65_536, 400_000, 1_000_000];
  const asked = sizes.map(ask);
  const forgotten = ask(400_000);
  structuredClone(forgotten.body.buffer, { transfer: [forgotten.body.buffer] });
  for (const { digest, expected } of sizes.map(ask)) assert.deepEqual(digest.read(), expected, 'at once');
  await sleep(20);
  for (let turns = 0; turns < 50; turns++) await turn();
  for (const { digest, expected } of asked) assert.deepEqual(digest.read(), expected, 'in the end');
});
