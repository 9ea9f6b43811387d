import assert from 'node:assert/strict';
import test from 'node:test';
import type { Route } from '#vocabulary/inference';
import { createRewriter } from './rewriter.ts';

function rewriterFor(
  reasoning: string,
  upstreamReasoning: string,
  upstreamModel = 'm',
  { kind = 'vllm', wantsStream = true, fields = [] as string[] } = {},
) {
  const envelope = { fields: new Map(fields.map((name) => [name, {}])) };
  const route = {
    engine: { kind },
    replica: { engineName: 'e', upstreamModel, upstreamReasoning },
    request: {
      exchange: { requestId: 'r' },
      spoken: 'chat/completions',
      endpoint: 'chat/completions',
      model: { id: 'm' },
      reasoning,
      wantsStream,
      envelope,
    },
  };
  return createRewriter(route as unknown as Route);
}

function chunk(delta: object, finish: string | null = null): Record<string, unknown> {
  return { id: 'x', model: 'engine-name', choices: [{ index: 0, delta, finish_reason: finish }] };
}

function contents(chunks: Record<string, unknown>[]): string {
  return chunks
    .map((value) => (value as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ?? '')
    .join('');
}

test('an engine that already speaks the public form is left alone', () => {
  assert.equal(rewriterFor('none', 'none'), undefined);
  assert.equal(rewriterFor('think-tags', 'inline'), undefined);
  assert.notEqual(rewriterFor('none', 'none', 'other'), undefined);
  assert.equal(rewriterFor('none', 'none', 'm', { kind: 'sglang' }), undefined);
  assert.notEqual(rewriterFor('none', 'none', 'm', { kind: 'sglang', fields: ['tools'] }), undefined);
  assert.notEqual(rewriterFor('none', 'none', 'm', { kind: 'llama-server', wantsStream: false }), undefined);
  assert.notEqual(rewriterFor('separate', 'fields'), undefined);
});

test('either reasoning field becomes both, and the model its public name', () => {
  const rewriter = rewriterFor('separate', 'fields')!;
  for (const delta of [{ reasoning: 'hm' }, { reasoning_content: 'hm', content: null }]) {
    const out = rewriter.rewriteChunk(chunk(delta)) as {
      model: string;
      choices: { delta: Record<string, unknown> }[];
    };
    assert.equal(out.model, 'm');
    assert.equal(out.choices[0]!.delta.reasoning, 'hm');
    assert.equal(out.choices[0]!.delta.reasoning_content, 'hm');
  }
});

test('fields become one balanced pair of tags, also when the answer never comes', () => {
  const full = rewriterFor('think-tags', 'fields')!;
  const parts = [
    { role: 'assistant', content: '' },
    { reasoning: 'a' },
    { reasoning: 'b' },
    { content: 'c' },
    { content: 'd' },
  ];
  const out = [
    ...parts.map((delta) => full.rewriteChunk(chunk(delta))),
    full.rewriteChunk(chunk({}, 'stop')),
  ];
  assert.equal(contents(out), '<think>ab</think>cd');
  const cut = rewriterFor('think-tags', 'fields')!;
  assert.equal(
    contents([cut.rewriteChunk(chunk({ reasoning: 'a' })), cut.rewriteChunk(chunk({}, 'length'))]),
    '<think>a</think>',
  );
  const whole = rewriterFor('think-tags', 'fields')!.rewriteAnswer({
    choices: [{ index: 0, message: { content: 'c', reasoning: 'ab' }, finish_reason: 'stop' }],
  });
  assert.equal(
    (whole as { choices: { message: { content: string } }[] }).choices[0]!.message.content,
    '<think>ab</think>c',
  );
});

test('tags in the text become both fields', () => {
  const rewriter = rewriterFor('separate', 'inline')!;
  const pieces = ['<thi', 'nk>a', 'b</th', 'ink>c', 'd'].map((content) =>
    rewriter.rewriteChunk(chunk({ content })),
  );
  const all = [...pieces, rewriter.rewriteChunk(chunk({}, 'stop'))];
  assert.equal(contents(all), 'cd');
  const thoughts = all.map(
    (value) => (value as { choices: { delta: { reasoning?: string } }[] }).choices[0]!.delta.reasoning ?? '',
  );
  assert.equal(thoughts.join(''), 'ab');
});

test('reasoning tokens are shown where clients look for them', () => {
  const out = rewriterFor('separate', 'fields')!.rewriteChunk({
    choices: [],
    usage: { prompt_tokens: 1, reasoning_tokens: 7 },
  });
  assert.deepEqual((out.usage as Record<string, unknown>).completion_tokens_details, { reasoning_tokens: 7 });
});

test('a choice has the same fields whichever engine made it', () => {
  const whole = rewriterFor('none', 'none', 'other')!.rewriteAnswer({
    choices: [
      { index: 0, message: { role: 'assistant', content: 'a', tool_calls: [] }, finish_reason: 'stop' },
      {
        index: 1,
        message: { role: 'assistant', content: 'b', tool_calls: null, refusal: null },
        logprobs: null,
      },
    ],
  });
  for (const { message, ...choice } of whole.choices as { message: object; logprobs: unknown }[]) {
    assert.equal(choice.logprobs, null);
    assert.deepEqual(Object.keys(message).sort(), ['content', 'refusal', 'role']);
  }

  const rewriter = rewriterFor('none', 'none', 'other')!;
  const call = (fields: object) => {
    const { choices } = rewriter.rewriteChunk(chunk({ tool_calls: [{ index: 0, ...fields }] }));
    return (choices as { delta: { tool_calls: object[] } }[])[0]!.delta.tool_calls[0];
  };
  const named = { id: 'a', type: 'function', function: { name: 'f', arguments: '' } };
  const fragment = { index: 0, function: { arguments: '{' } };
  assert.deepEqual(call(named), { index: 0, ...named });
  assert.deepEqual(call({ id: null, type: 'function', function: { name: null, arguments: '{' } }), fragment);
  assert.deepEqual(call({ ...named, function: { name: 'f', arguments: '{' } }), fragment);
  assert.deepEqual(call({ ...named, id: 'b' }), { index: 0, ...named, id: 'b' });
});
