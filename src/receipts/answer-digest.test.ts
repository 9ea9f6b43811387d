import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import type { ParsedRequest } from '#vocabulary/inference';
import { AnswerDigest } from './answer-digest.ts';

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
