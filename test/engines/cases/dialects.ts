import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { faultsOfResponseEvents } from '#harness/response-events';
import { answersAtOnce, ask, type EngineStage } from '../stage.ts';

const question = 'What is the weather in Paris?';
const city = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const described = { name: 'get_weather', description: 'Get the weather of a city', strict: true };
const paris = { city: 'Paris' };

/** OpenAI's Responses and Anthropic's Messages, in the hands of their makers' own packages. */
export function proveDialects({ engine, doors, secret }: EngineStage): void {
  for (const { name, base, post, stream } of doors) {
    const named = (what: string) => `${engine.kind}, ${name} door: ${what}`;
    const openai = new OpenAI({ baseURL: base, apiKey: secret, maxRetries: 0 });
    // This package adds the version to the address itself.
    const anthropic = new Anthropic({ baseURL: base.replace(/\/v1$/, ''), apiKey: secret, maxRetries: 0 });

    test(named('responses, whole and streamed, with a call that was asked for'), async () => {
      const hello = { model: 'Plain', input: 'Hello', max_output_tokens: 12, ...answersAtOnce };
      const whole = await openai.responses.create(hello);
      assert.equal(whole.model, 'Plain');
      assert.ok(whole.output_text.length > 0 && (whole.usage?.input_tokens ?? 0) > 0, JSON.stringify(whole));
      const streamed = await openai.responses.stream(hello).finalResponse();
      assert.equal(streamed.output_text, whole.output_text);
      assert.equal(streamed.usage?.output_tokens, whole.usage?.output_tokens);

      const tools = [{ type: 'function' as const, ...described, parameters: city }];
      const asked = {
        ...hello,
        input: question,
        max_output_tokens: 80,
        tools,
        tool_choice: 'required' as const,
      };
      for (const { output } of [
        await openai.responses.create(asked),
        await openai.responses.stream(asked).finalResponse(),
      ]) {
        const call = output.find(({ type }) => type === 'function_call');
        assert.ok(call?.type === 'function_call', JSON.stringify(output));
        assert.deepEqual([call.name, JSON.parse(call.arguments)], ['get_weather', paris]);
      }
      const events = await stream('plain', asked, 'responses');
      assert.equal(await events.ended, 'complete');
      assert.deepEqual(faultsOfResponseEvents(events.raw().toString(), true), []);
    });

    test(named('messages, whole and streamed, with a call and what the prompt came to'), async () => {
      const hello = { model: 'Plain', messages: ask('Hello'), max_tokens: 12, ...answersAtOnce };
      const whole = await anthropic.messages.create(hello);
      assert.deepEqual([whole.model, whole.content[0]?.type], ['Plain', 'text']);
      const streaming = anthropic.messages.stream(hello);
      let begun = 0;
      streaming.on('streamEvent', (event) => {
        if (event.type === 'message_start') begun = promptOf(event.message);
      });
      const streamed = await streaming.finalMessage();
      assert.deepEqual(plainText(streamed), plainText(whole));
      assert.equal(streamed.usage.output_tokens, whole.usage.output_tokens);
      if (engine.abilities.tellsUsageFromTheStart) assert.equal(begun, promptOf(streamed));
      else assert.ok(begun > 0);

      const tools = [{ ...described, input_schema: city }];
      const asked = {
        ...hello,
        messages: ask(question),
        max_tokens: 80,
        tools,
        tool_choice: { type: 'any' as const },
      };
      for (const message of [
        await anthropic.messages.create(asked),
        await anthropic.messages.stream(asked).finalMessage(),
      ]) {
        const call = message.content.find(({ type }) => type === 'tool_use');
        assert.ok(call?.type === 'tool_use', JSON.stringify(message));
        assert.deepEqual([call.name, call.input, message.stop_reason], ['get_weather', paris, 'tool_use']);
      }
      const counted = await post('plain', { messages: ask('Hello') }, 'messages/count_tokens');
      assert.ok(Number(counted.json['input_tokens']) > 0, counted.text);
    });
  }
}

function plainText({ content }: Anthropic.Message): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

function promptOf({ usage }: Anthropic.Message): number {
  return usage.input_tokens + (usage.cache_read_input_tokens ?? 0);
}
