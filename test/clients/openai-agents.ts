import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent, Runner, tool } from '@openai/agents-core';
import { OpenAIChatCompletionsModel, OpenAIResponsesModel } from '@openai/agents-openai';
import OpenAI from 'openai';
import { z } from 'zod';
import { leavesEarly } from './stage.ts';
import type { Door, ModelId, Stage } from './stage.ts';

/** OpenAI's Agents SDK (the two parts of `@openai/agents` that talk to a server), in both dialects it knows. */
export function testOpenaiAgents(stage: Stage): void {
  const runner = new Runner({ tracingDisabled: true });
  const modelSettings = { temperature: 0 };

  for (const modelId of ['beta-4-scout', 'gamma-oss-120b'] as const) {
    for (const [dialect, door] of stage.doors(modelId).flatMap(inBothDialects)) {
      const model = agentModel(door, modelId, dialect);

      test(`${modelId}, ${door.name}, ${dialect}: an agent asks its tool and answers, whole and streamed`, async () => {
        for (const stream of [false, true]) {
          const asked: unknown[] = [];
          const weather = tool({
            name: 'get_current_weather',
            description: 'Get the current weather',
            parameters: z.object({ location: z.string(), format: z.enum(['celsius', 'fahrenheit']) }),
            execute: (given) => {
              asked.push(given);
              return JSON.stringify({ temperature: 21, unit: 'celsius' });
            },
          });
          const agent = new Agent({ name: 'Weather', model, modelSettings, tools: [weather] });
          const question = 'What is the weather in Boston in celsius?';
          const run = stream
            ? await runner.run(agent, question, { stream: true, maxTurns: 3 })
            : await runner.run(agent, question, { maxTurns: 3 });
          if ('completed' in run) await run.completed;
          assert.deepEqual(asked, [{ location: 'Boston', format: 'celsius' }]);
          assert.match(String(run.finalOutput), /21/);
        }
      });
    }
  }

  for (const [dialect, door] of stage.doors('beta-4-scout').flatMap(inBothDialects)) {
    const model = agentModel(door, 'beta-4-scout', dialect);
    const named = `${door.name}, ${dialect}`;

    test(`${named}: an agent with an output type`, async () => {
      const outputType = z.object({ city: z.string().max(30), isCapital: z.boolean() });
      const agent = new Agent({
        name: 'Geographer',
        instructions: 'Be brief.',
        model,
        modelSettings,
        outputType,
      });
      const { finalOutput } = await runner.run(agent, 'Tell me about Paris.');
      assert.ok(outputType.safeParse(finalOutput).success);
    });

    test(`${named}: an agent hands over to another`, async () => {
      const adder = new Agent({ name: 'Adder', handoffDescription: 'Adds numbers.', model, modelSettings });
      const triage = new Agent({
        name: 'Triage',
        model,
        modelSettings: { ...modelSettings, toolChoice: 'transfer_to_Adder' },
        handoffs: [adder],
      });
      const run = await runner.run(triage, 'What is 17 plus 25?');
      assert.equal(run.lastAgent?.name, 'Adder');
    });

    test(`${named}: refusals and aborts reach whoever runs the agent`, async () => {
      const stranger = new Agent({
        name: 'Stranger',
        model: agentModel(door, 'no-such-model' as ModelId, dialect),
      });
      await assert.rejects(runner.run(stranger, 'Hello'), /no-such-model/);
      const endless = new Agent({
        name: 'Endless',
        model,
        modelSettings: { maxTokens: 1900, providerData: { ignore_eos: true } },
      });
      await leavesEarly(stage, async () => {
        const leaving = new AbortController();
        const run = await runner.run(endless, 'Count.', { stream: true, signal: leaving.signal });
        for await (const event of run) if (event.type === 'raw_model_stream_event') leaving.abort();
      });
    });
  }
}

type Dialect = 'chat' | 'responses';

function inBothDialects(door: Door): [Dialect, Door][] {
  return [
    ['chat', door],
    ['responses', door],
  ];
}

function agentModel(
  { baseURL, apiKey }: Door,
  model: ModelId,
  dialect: Dialect,
): OpenAIChatCompletionsModel | OpenAIResponsesModel {
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
  return dialect === 'chat'
    ? new OpenAIChatCompletionsModel(client, model)
    : new OpenAIResponsesModel(client, model);
}
