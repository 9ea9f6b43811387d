import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  extractReasoningMiddleware,
  generateObject,
  generateText,
  isStepCount,
  Output,
  streamText,
  tool,
  wrapLanguageModel,
} from 'ai';
import { z } from 'zod';
import { patienceMs } from './questions.ts';
import { leavesEarly } from './stage.ts';
import type { Door, ModelId, Stage } from './stage.ts';

/** Vercel's AI SDK, which is also what Cline and many web applications speak through. */
export function testVercelAi(stage: Stage): void {
  // One of the calls below is deprecated, and still what most programs make.
  globalThis.AI_SDK_LOG_WARNINGS = false;

  const question = 'What is 17 plus 25?';
  const settings = { temperature: 0, maxRetries: 0 };
  const weather = tool({
    description: 'Get the current weather',
    inputSchema: z.object({
      location: z.string().describe('The city, e.g. San Francisco'),
      format: z.enum(['celsius', 'fahrenheit']),
    }),
    execute: ({ location }) => ({ location, temperature: 21 }),
  });

  for (const door of stage.doors('beta-4-scout')) {
    const model = languageModel(door, 'beta-4-scout');

    test(`${door.name}: generateText and streamText say the same`, async () => {
      const whole = await generateText({ model, prompt: question, ...settings });
      assert.match(whole.text, /42/);
      assert.equal(whole.finishReason, 'stop');
      assert.ok((whole.usage.outputTokens ?? 0) > 0);
      const streamed = streamText({ model, prompt: question, ...settings });
      let text = '';
      for await (const piece of streamed.textStream) text += piece;
      assert.equal(text, whole.text);
      assert.equal((await streamed.usage).outputTokens, whole.usage.outputTokens);
    });

    test(`${door.name}: a tool is called, run and its result told, whole and streamed`, async () => {
      const request = {
        model,
        prompt: 'What is the weather in Boston in celsius?',
        tools: { get_current_weather: weather },
        stopWhen: isStepCount(2),
        ...settings,
      };
      const streamed = streamText(request);
      for (const steps of [(await generateText(request)).steps, await streamed.steps]) {
        assert.equal(steps[0]?.finishReason, 'tool-calls');
        assert.deepEqual(
          steps[0].toolCalls.map(({ toolName, input }) => [toolName, input]),
          [['get_current_weather', { location: 'Boston', format: 'celsius' }]],
        );
        assert.match(steps[1]?.text ?? '', /21/);
      }
    });

    test(`${door.name}: objects, by generateObject and as the output of a text`, async () => {
      const schema = z.object({ city: z.string().max(30), population: z.number().int().nullable() });
      const request = { model, prompt: 'Describe Paris.', ...settings };
      assert.ok(schema.safeParse((await generateObject({ ...request, schema })).object).success);
      const { output } = await generateText({ ...request, output: Output.object({ schema }) });
      assert.ok(schema.safeParse(output).success);
    });

    test(`${door.name}: refusals carry our sentence, status and data`, async () => {
      await assert.rejects(
        generateText({ model, prompt: question, temperature: 9, maxRetries: 0 }),
        (error) => {
          assert.ok(APICallError.isInstance(error));
          assert.equal(error.statusCode, 400);
          assert.equal(error.isRetryable, false);
          assert.match(error.message, /temperature/);
          return true;
        },
      );
      const errors: unknown[] = [];
      const stream = streamText({
        model: languageModel(door, 'no-such-model' as ModelId),
        prompt: question,
        maxRetries: 0,
        onError: ({ error }) => void errors.push(error),
      });
      await stream.consumeStream();
      assert.ok(APICallError.isInstance(errors[0]));
      assert.equal(errors[0].statusCode, 404);
    });

    test(`${door.name}: aborting a stream and running out of time end the work`, async () => {
      const long = {
        model,
        prompt: 'Count.',
        maxOutputTokens: 1900,
        maxRetries: 0,
        providerOptions: { gatehouse: { ignore_eos: true } },
      };
      await leavesEarly(stage, async () => {
        const leaving = new AbortController();
        const stream = streamText({ ...long, abortSignal: leaving.signal });
        for await (const part of stream.fullStream) {
          if (part.type === 'text-delta') leaving.abort();
          assert.notEqual(part.type, 'error');
        }
      });
      await leavesEarly(stage, async () => {
        await assert.rejects(generateText({ ...long, abortSignal: AbortSignal.timeout(patienceMs) }), {
          name: 'TimeoutError',
        });
      });
    });
  }

  for (const door of stage.doors('gamma-oss-120b')) {
    test(`${door.name}: thinking comes as reasoning, whole and streamed`, async () => {
      const request = {
        model: languageModel(door, 'gamma-oss-120b'),
        prompt: question,
        ...settings,
        providerOptions: { gatehouse: { reasoningEffort: 'low' } },
      };
      const streamed = streamText(request);
      const { text, reasoningText, usage } = await generateText(request);
      assert.match(text, /42/);
      assert.match(reasoningText ?? '', /42/);
      assert.ok((usage.outputTokenDetails.reasoningTokens ?? 0) > 0);
      assert.equal(await streamed.reasoningText, reasoningText);
      assert.equal(await streamed.text, text);
    });
  }

  for (const door of stage.doors('alpha-R1')) {
    test(`${door.name}: the tags of alpha-R1 are what the SDK's own middleware looks for`, async () => {
      const model = wrapLanguageModel({
        model: languageModel(door, 'alpha-R1'),
        middleware: extractReasoningMiddleware({ tagName: 'think' }),
      });
      const stream = streamText({ model, prompt: question, ...settings });
      assert.match((await stream.reasoningText) ?? '', /17/);
      assert.match(await stream.text, /^\s*17 \+ 25 = 42/);
    });
  }
}

function languageModel({ baseURL, apiKey }: Door, model: ModelId) {
  const gatehouse = createOpenAICompatible({
    name: 'gatehouse',
    baseURL,
    apiKey,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  return gatehouse(model);
}
