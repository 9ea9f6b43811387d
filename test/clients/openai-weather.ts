import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { boston, weatherArguments, weatherResult, weatherTool } from './questions.ts';
import type { Stage } from './stage.ts';

/** The tool of the contract with the official client: both tool models, both doors, whole and streamed. */
export function testOpenaiWeather(stage: Stage): void {
  for (const model of ['beta-4-scout', 'gamma-oss-120b'] as const) {
    for (const { name, ...address } of stage.doors(model)) {
      const client = new OpenAI({ ...address, maxRetries: 0 });
      const request = {
        model,
        messages: boston,
        tools: [weatherTool],
        tool_choice: 'auto' as const,
        temperature: 0,
      };

      test(`${model}, ${name} door: the call, whole and streamed`, async () => {
        const whole = await client.chat.completions.create(request);
        const streamed = await client.chat.completions.stream(request).finalChatCompletion();
        for (const answer of [whole, streamed]) {
          const [choice] = answer.choices;
          const call = choice!.message.tool_calls![0]!;
          assert.equal(choice!.finish_reason, 'tool_calls');
          assert.ok(call.type === 'function');
          assert.equal(call.function.name, 'get_current_weather');
          assert.deepEqual(JSON.parse(call.function.arguments), weatherArguments);
        }
      });

      test(`${model}, ${name} door: fragments put together by hand`, async () => {
        const calls: { id: string; name: string; arguments: string }[] = [];
        let finish: string | null = null;
        for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) {
          for (const { index, id, function: part } of chunk.choices[0]!.delta.tool_calls ?? []) {
            if (id !== undefined) calls[index] = { id, name: part!.name!, arguments: '' };
            calls[index]!.arguments += part?.arguments ?? '';
          }
          finish = chunk.choices[0]!.finish_reason ?? finish;
        }
        assert.equal(finish, 'tool_calls');
        assert.equal(calls.length, 1);
        assert.equal(calls[0]!.name, 'get_current_weather');
        assert.deepEqual(JSON.parse(calls[0]!.arguments), weatherArguments);
      });

      test(`${model}, ${name} door: runTools runs the function and gets the answer in words`, async () => {
        for (const stream of [false, true] as const) {
          const asked: unknown[] = [];
          const run = {
            ...request,
            tools: [
              {
                ...weatherTool,
                function: {
                  ...weatherTool.function,
                  parse: JSON.parse,
                  function: (given: unknown) => {
                    asked.push(given);
                    return weatherResult;
                  },
                },
              },
            ],
          };
          const runner = stream
            ? client.chat.completions.runTools({ ...run, stream })
            : client.chat.completions.runTools(run);
          assert.match((await runner.finalContent()) ?? '', /21/);
          assert.deepEqual(asked, [weatherArguments]);
        }
      });
    }
  }
}
