import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import type { UsageMetadata } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAI as TextOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { patienceMs } from './questions.ts';
import { leavesEarly } from './stage.ts';
import type { Door, ModelId, Stage } from './stage.ts';

/** LangChain.js on both doors. */
export function testLangchain(stage: Stage): void {
  const question = 'What is 17 plus 25?';
  const weather = tool(({ location }) => `It is 21 degrees celsius in ${location}.`, {
    name: 'get_current_weather',
    description: 'Get the current weather',
    schema: z.object({
      location: z.string().describe('The city, e.g. San Francisco'),
      format: z.enum(['celsius', 'fahrenheit']),
    }),
  });

  for (const door of stage.doors('beta-4-scout')) {
    const model = chatModel(door, 'beta-4-scout');

    test(`${door.name}: invoke and stream say the same, with usage`, async () => {
      const messages = [new SystemMessage('You answer briefly.'), new HumanMessage(question)];
      const whole = await model.invoke(messages);
      assert.match(whole.text, /42/);
      assert.equal(whole.response_metadata['finish_reason'], 'stop');
      let text = '';
      let outputTokens = 0;
      for await (const chunk of await model.stream(messages)) {
        text += chunk.text;
        outputTokens += usageOf(chunk)?.output_tokens ?? 0;
      }
      assert.equal(text, whole.text);
      assert.equal(outputTokens, usageOf(whole)?.output_tokens);
    });

    test(`${door.name}: bindTools, whole and streamed, and the result told`, async () => {
      const bound = model.bindTools([weather]);
      const asked = new HumanMessage('What is the weather in Boston in celsius?');
      const whole = await bound.invoke([asked]);
      let streamed: Awaited<ReturnType<typeof bound.stream>> extends AsyncIterable<infer Chunk>
        ? Chunk | undefined
        : never;
      for await (const chunk of await bound.stream([asked]))
        streamed = streamed === undefined ? chunk : streamed.concat(chunk);
      for (const { tool_calls: calls = [] } of [whole, streamed!]) {
        assert.equal(calls.length, 1);
        assert.equal(calls[0]!.name, 'get_current_weather');
        assert.deepEqual(calls[0]!.args, { location: 'Boston', format: 'celsius' });
      }
      const result: unknown = await weather.invoke(whole.tool_calls![0]!);
      assert.ok(ToolMessage.isInstance(result));
      assert.match((await bound.invoke([asked, whole, result])).text, /21/);
    });

    test(`${door.name}: withStructuredOutput, by schema and by tool`, async () => {
      const schema = z.object({ city: z.string().max(30), isCapital: z.boolean() });
      for (const method of ['jsonSchema', 'functionCalling'] as const) {
        const found = await model
          .withStructuredOutput(schema, { method, name: 'city' })
          .invoke('About Paris.');
        assert.ok(schema.safeParse(found).success, method);
      }
    });

    test(`${door.name}: refusals carry status, code and sentence`, async () => {
      await assert.rejects(chatModel(door, 'no-such-model' as ModelId).invoke(question), (error) => {
        const { status, code, message } = error as { status?: number; code?: string; message: string };
        assert.deepEqual([status, code], [404, 'model_not_found']);
        assert.match(message, /beta-4-scout/);
        return true;
      });
      await assert.rejects(model.invoke('word '.repeat(4000)), /maximum context length/i);
    });

    test(`${door.name}: leaving a stream, a signal and a timeout end the work`, async () => {
      const long = chatModel(door, 'beta-4-scout', {
        maxTokens: 1900,
        modelKwargs: { ignore_eos: true },
      });
      await leavesEarly(stage, async () => {
        for await (const _chunk of await long.stream('Count.')) break;
      });
      await leavesEarly(stage, async () => {
        await assert.rejects(long.invoke('Count.', { signal: AbortSignal.timeout(patienceMs) }));
      });
      await leavesEarly(stage, async () => {
        await assert.rejects(long.invoke('Count.', { timeout: patienceMs }));
      });
    });
  }

  for (const door of stage.doors('gamma-oss-120b')) {
    test(`${door.name}: reasoning effort goes in, a clean answer comes out`, async () => {
      const model = chatModel(door, 'gamma-oss-120b', { modelKwargs: { reasoning_effort: 'low' } });
      const answer = await model.invoke(question);
      assert.match(answer.text, /42/);
      assert.doesNotMatch(answer.text, /think>/);
      assert.ok((usageOf(answer)?.output_token_details?.reasoning ?? 0) > 0);
    });
  }

  test('direct: text completions through the completion class', async () => {
    const { baseURL, apiKey } = stage.doors('beta-4-scout')[1]!;
    const model = new TextOpenAI({
      model: 'beta-4-scout',
      apiKey,
      temperature: 0,
      maxTokens: 8,
      maxRetries: 0,
      configuration: { baseURL },
    });
    assert.notEqual(await model.invoke('The capital of France is'), '');
  });
}

function chatModel({ baseURL, apiKey }: Door, model: ModelId, extra: object = {}): ChatOpenAI {
  return new ChatOpenAI({
    model,
    apiKey,
    temperature: 0,
    maxRetries: 0,
    configuration: { baseURL },
    ...extra,
  });
}

/** The types of the library lose it on the way. */
function usageOf(message: { readonly usage_metadata?: unknown }): UsageMetadata | undefined {
  return message.usage_metadata as UsageMetadata | undefined;
}
