import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, send } from '#harness/http-client';
import { waitUntil } from '#harness/wait-until';
import { answersAtOnce, ask, type EngineStage } from '../stage.ts';

const patienceMs = 60_000;
const endless = {
  messages: ask('Tell me a long story'),
  max_tokens: 1200,
  ignore_eos: true,
  temperature: 1,
  chat_template_kwargs: { enable_thinking: false },
};

/** How requests end otherwise than well, and what the engine's own books say of it. */
export function proveEndings({ engine, gateway, doors }: EngineStage): void {
  const untilIdle = () =>
    waitUntil('the engine is idle', async () => (await engine.readRunning()) === 0, patienceMs);
  const untilAtWork = () =>
    waitUntil('the engine is at work', async () => (await engine.readRunning()) === 1, patienceMs);

  for (const door of doors) {
    const named = (what: string) => `${engine.kind}, ${door.name} door: ${what}`;

    test(named('a caller who leaves frees the engine at once'), async () => {
      await untilIdle();
      const before = await engine.readWritten();
      const stream = await door.stream('plain', endless);
      await stream.untilFrames(3);
      await untilAtWork();
      stream.leave();
      await untilIdle();

      const leaving = new AbortController();
      const { url, sent } = door.call('plain', endless);
      const gone = begin(url, sent, leaving.signal).catch(() => {});
      await untilAtWork();
      leaving.abort();
      await gone;
      await untilIdle();
      const written = (await engine.readWritten()) - before;
      assert.ok(written < endless.max_tokens, `${written} tokens were written for nobody`);
    });

    test(named('a refusal keeps its meaning and loses the insides of the engine'), async () => {
      for (const isStream of [false, true]) {
        const long = await door.post('plain', { messages: ask('word '.repeat(3000)), stream: isStream });
        assert.deepEqual([long.status, long.error.code], [400, 'context_length_exceeded'], long.text);
      }
      const format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'nonsense' } } };
      const shapeless = await door.post('plain', { messages: ask('Hello'), response_format: format });
      assert.equal(shapeless.status, 400, shapeless.text);
      assert.doesNotMatch(shapeless.text, /\.(?:py|cc|cpp|rs)\b|Traceback|site-packages/);
      const greedy = await door.post('plain', {
        messages: ask('Hello'),
        ...answersAtOnce,
        max_tokens: 100_000,
      });
      if (greedy.status !== 200)
        assert.deepEqual([greedy.status, greedy.error.code], [400, 'context_length_exceeded'], greedy.text);
    });
  }

  test(`${engine.kind}: the length of its context is learnt from the engine`, async () => {
    await waitUntil('the list tells it', async () => {
      const { text } = await send(`${gateway.url}/plain/v1/models`);
      return (
        text.includes(`"max_model_len":${engine.contextTokens},`) ||
        text.includes(`"max_model_len":${engine.contextTokens}}`)
      );
    });
  });
}
