import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hearStream } from '#harness/heard-answer';
import type { EngineStage } from '../stage.ts';

/** What only the direct door offers. */
export function proveFurtherEndpoints({ engine, doors }: EngineStage): void {
  const direct = doors.find(({ name }) => name === 'direct')!;
  const named = (what: string) => `${engine.kind}, direct door: ${what}`;
  const once = { prompt: 'Once upon', max_tokens: 4, temperature: 0 };

  for (const model of ['plain', 'same'] as const)
    test(named(`${model}: text completions with log probabilities`), async () => {
      const whole = await direct.post(model, { ...once, logprobs: 2 }, 'completions');
      assert.equal(whole.status, 200, whole.text);
      const { choices, usage } = whole.json as unknown as TextAnswer;
      assert.equal(choices[0]!.logprobs.tokens.join(''), choices[0]!.text);
      assert.equal(choices[0]!.logprobs.token_logprobs.length, usage.completion_tokens);
      for (const extra of [{}, { logprobs: 2 }, { stream_options: { include_usage: true } }]) {
        const streamed = await hearStream(await direct.stream(model, { ...once, ...extra }, 'completions'));
        assert.equal(streamed.choices[0]!.content, choices[0]!.text);
        assert.equal(streamed.usage?.['completion_tokens'], 'stream_options' in extra ? 4 : undefined);
      }
    });

  test(named('words become tokens and tokens words again'), async () => {
    const words = { prompt: 'hello world', content: 'hello world' };
    const { tokens } = (await direct.post('plain', words, 'tokenize')).json as { tokens: number[] };
    assert.ok(tokens.length >= 2);
    const back = (await direct.post('plain', { tokens }, 'detokenize')).json;
    assert.equal(back['prompt'] ?? back['content'] ?? back['text'], 'hello world');
  });

  test(named('embeddings, or a plain word that there are none'), async () => {
    const answer = await direct.post('plain', { input: 'hello' }, 'embeddings');
    if (engine.abilities.embeds) assert.equal(answer.status, 200, answer.text);
    else assert.deepEqual([answer.status, answer.error.code], [501, 'not_supported_by_engine']);
  });
}

interface TextAnswer {
  readonly choices: readonly {
    readonly text: string;
    readonly logprobs: { readonly tokens: readonly string[]; readonly token_logprobs: readonly number[] };
  }[];
  readonly usage: { readonly completion_tokens: number };
}
