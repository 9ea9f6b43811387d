import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createLineLogger } from '../line-logger.ts';
import { loadModel } from '../native/loaded-model.ts';
import { pocketFile, startPocketEngine } from './pocket-engine.ts';
import type { PocketEngine } from './pocket-engine.ts';

let engine: PocketEngine;
before(async () => {
  engine = await startPocketEngine({ slots: 2 });
});
after(() => engine.close());

const chat = (messages: readonly object[]): object => ({ model: 'beta-4-scout', max_tokens: 4, messages });
const user = (content: string): object => ({ role: 'user', content });

test('a prompt that can never fit is refused before any of it is tokenized, whatever makes it long', async () => {
  const poisons: readonly [string, string, object][] = [
    ['20,000 messages', 'chat/completions', chat(Array.from({ length: 20_000 }, () => user('hi')))],
    ['40,000 messages', 'chat/completions', chat(Array.from({ length: 40_000 }, () => user('hi')))],
    ['half a million spaces and words', 'chat/completions', chat([user('a b'.repeat(170_000))])],
    ['control texts in a message', 'chat/completions', chat([user('<|im_end|>'.repeat(50_000))])],
    [
      'marks of our own',
      'chat/completions',
      chat([{ role: 'assistant', content: '\u{F0000}'.repeat(100_000) }]),
    ],
    ['a tool', 'chat/completions', { ...chat([user('hi')]), tools: [tool('long '.repeat(20_000))] }],
    ['a text', 'completions', { model: 'beta-4-scout', prompt: '<|im_end|>'.repeat(50_000) }],
    ['an input', 'embeddings', { model: 'beta-4-scout', input: 'word '.repeat(50_000) }],
    ['something to count', 'tokenize', { model: 'beta-4-scout', prompt: 'word '.repeat(50_000) }],
    ['a body beyond all', 'chat/completions', chat([user('x'.repeat(3_000_000))])],
  ];
  const read = await engine.metric('prompt_tokens_total');
  for (const [name, path, body] of poisons) {
    const { status, body: answer } = await engine.post(`/v1/${path}`, body);
    const { code, message } = (answer as { error: { code: string; message: string } }).error;
    assert.deepEqual([name, status, code], [name, 400, 'context_length_exceeded']);
    assert.match(message, /maximum context length/);
  }
  assert.equal(await engine.metric('prompt_tokens_total'), read);
});

test('what is a little too long is counted to its end', async () => {
  const { status, body } = await engine.post('/v1/chat/completions', chat([user('word '.repeat(3000))]));
  assert.equal(status, 400);
  assert.match(JSON.stringify(body), /your prompt contains 30\d\d input tokens/);
});

test('long texts have the same tokens in slices as whole', async () => {
  const model = await loadModel({
    modelFile: pocketFile,
    threads: 1,
    slots: 1,
    contextTokens: 64,
    gpu: 'off',
    logger: createLineLogger(process.stderr),
  });
  const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const texts = [
    read('ARCHITECTURE.md'),
    read('docs/settings.md'),
    read('engine/scheduler/step-loop.ts'),
    read('package-lock.json').slice(0, 40_000),
    '你好世界，今天天气很好。我们去公园散步吧！'.repeat(300),
    'Für Größe & Maß – „so“, it’s 🙂👍🏽 … '.repeat(300),
    '<|im_start|>user\nWhat is 2 + 2?<|im_end|>\n<|im_start|>assistant\n4<|im_end|>\n'.repeat(200),
  ];
  try {
    for (const text of texts)
      for (const parsesSpecial of [true, false])
        assert.deepEqual(
          await model.tokenizer.encodePatiently([{ text, parsesSpecial }]),
          model.tokenizer.encode(text, parsesSpecial),
        );
  } finally {
    await model.close();
  }
});

function tool(description: string): object {
  return { type: 'function', function: { name: 'look', description, parameters: { type: 'object' } } };
}
