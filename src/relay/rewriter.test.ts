import assert from 'node:assert/strict';
import test from 'node:test';
import type { Route } from '#vocabulary/inference';
import { createRewriter } from './rewriter.ts';

function rewriterFor(reasoning: string, upstreamReasoning: string, upstreamModel = 'm') {
  const route = {
    replica: { engineName: 'e', upstreamModel, upstreamReasoning },
    ticket: { arrival: { endpoint: 'chat/completions', model: { id: 'm' }, reasoning } },
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
