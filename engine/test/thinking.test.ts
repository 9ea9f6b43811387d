import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pocketProfiles, startPocketEngine } from './pocket-engine.ts';
import type { PocketEngine } from './pocket-engine.ts';

let engine: PocketEngine;
before(async () => {
  engine = await startPocketEngine();
});
after(() => engine.close());

const sum = [{ role: 'user', content: 'What is 123 + 456? Think about it carefully.' }];

test('at every effort the thought ends within its budget and an answer follows', async () => {
  const spent: number[] = [];
  for (const effort of ['low', 'medium', 'high'] as const) {
    const answer = await engine.chat({
      model: 'gamma-oss-120b',
      messages: sum,
      temperature: 0,
      reasoning_effort: effort,
    });
    const message = answer.choices[0]?.message;
    assert.equal(answer.choices[0]?.finish_reason, 'stop');
    assert.ok(message?.content !== null && message?.content !== '', effort);
    assert.doesNotMatch(`${message?.content}${message?.reasoning}`, /<\/?think>/);
    assert.equal(message?.reasoning, message?.reasoning_content);
    const tokens = answer.usage.completion_tokens_details.reasoning_tokens;
    // The forced ending itself may add a few.
    assert.ok(tokens <= (pocketProfiles[2]?.thinkingBudgetTokens?.[effort] ?? 0) + 4);
    spent.push(tokens);
  }
  assert.ok((spent[0] ?? 0) < (spent[2] ?? 0), `low ${spent[0]}, high ${spent[2]}`);
});

test('when the budget or max_tokens is near, the thought is closed and an answer follows', async () => {
  const ask = (body: object) =>
    engine.chat({
      model: 'gamma-oss-120b',
      messages: sum,
      temperature: 0,
      reasoning_effort: 'high',
      ...body,
    });
  const budgeted = await ask({ thinking_token_budget: 12 });
  assert.ok(budgeted.usage.completion_tokens_details.reasoning_tokens <= 16);
  assert.notEqual(budgeted.choices[0]?.message.content, '');
  const short = await ask({ max_tokens: 40 });
  assert.ok(short.usage.completion_tokens <= 40);
  assert.notEqual(short.choices[0]?.message.content, '');
});

test('each id thinks in its own manner, and the request may choose the other form', async () => {
  const ask = async (model: string, body: object = {}) =>
    (await engine.chat({ model, messages: sum, temperature: 0, ...body })).choices[0]?.message;
  const alpha = await ask('alpha-R1');
  assert.match(alpha?.content ?? '', /^<think>\n[^<]+<\/think>\n\n[^<]+$/);
  assert.equal(alpha?.reasoning, undefined);
  const apart = await ask('alpha-R1', { separate_reasoning: true });
  assert.equal(alpha?.content, `<think>\n${apart?.reasoning}\n</think>\n\n${apart?.content}`);

  const beta = await ask('beta-4-scout');
  assert.equal(beta?.reasoning, undefined);
  assert.doesNotMatch(beta?.content ?? '', /think>/);

  const inline = await ask('gamma-oss-120b', { separate_reasoning: false });
  assert.match(inline?.content ?? '', /^<think>[^<]+<\/think>\n\n[^<]+$/);
  const silent = await ask('gamma-oss-120b', { include_reasoning: false });
  assert.equal(silent?.reasoning, undefined);
});

test('tags are whole and balanced however early the answer is cut', async () => {
  for (const maxTokens of [1, 2, 3, 7, 15]) {
    let content = '';
    const body = { model: 'alpha-R1', messages: sum, temperature: 0, max_tokens: maxTokens };
    for await (const { choices } of engine.stream('/v1/chat/completions', body)) {
      const piece = choices[0]?.delta.content ?? '';
      assert.doesNotMatch(piece, /<$|<\/?t(h(i(n(k)?)?)?)?$/, 'never half a tag');
      content += piece;
    }
    assert.match(content, /^<think>[^<]*<\/think>[^<]*$/, `${maxTokens} tokens`);
  }
});

test('a model that wants to end in its thought or right behind it is asked for its answer', async () => {
  const end = (await engine.post('/tokenize', { model: 'alpha-R1', prompt: '<|im_end|>' })).body;
  const answer = await engine.chat({
    model: 'gamma-oss-120b',
    messages: [...sum, { role: 'assistant', content: '<think>' }],
    continue_final_message: true,
    thinking_token_budget: 12,
    logit_bias: { [(end as { tokens: number[] }).tokens[0]!]: 100 },
    temperature: 0,
  });
  assert.equal(answer.choices[0]?.finish_reason, 'stop');
  assert.notEqual((answer.choices[0].message.content ?? '').trim(), '');
});

test('a template that opens the thought itself is understood', async () => {
  const body = {
    model: 'gamma-oss-120b',
    messages: [...sum, { role: 'assistant', content: '<think>' }],
    continue_final_message: true,
    temperature: 0,
  };
  const apart = (await engine.chat(body)).choices[0]?.message;
  assert.notEqual(apart?.reasoning ?? '', '');
  assert.doesNotMatch(apart?.content ?? '', /think>/);
  const inline = (await engine.chat({ ...body, separate_reasoning: false })).choices[0]?.message;
  assert.match(inline?.content ?? '', /^<think>\n[^<]+<\/think>/);
});
