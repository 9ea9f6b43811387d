import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { waitUntil } from '#harness/wait-until';
import { leavesEarly } from './stage.ts';
import type { Stage } from './stage.ts';

/** The official client's Responses against the real program with the real model, used as its own guide shows. */
export function testOpenaiResponses(stage: Stage): void {
  const model = 'beta-4-scout';
  const sum = 'What is 17 plus 25?';

  for (const { name, ...address } of stage.doors(model)) {
    const { responses } = new OpenAI({ ...address, maxRetries: 0 });

    test(`${name}: the same response whole and streamed`, async () => {
      const request = { model, input: sum, temperature: 0 };
      const whole = await responses.create(request);
      assert.match(whole.output_text, /42/);
      const stream = responses.stream(request);
      let streamed = '';
      for await (const event of stream)
        if (event.type === 'response.output_text.delta') streamed += event.delta;
      assert.equal(streamed, whole.output_text);
      const final = await stream.finalResponse();
      assert.deepEqual(
        [final.output_text, final.usage?.output_tokens],
        [streamed, whole.usage?.output_tokens],
      );
    });

    test(`${name}: an answer in a shape, and a tool with one`, async () => {
      const City = z.object({ city: z.string().max(30), isCapital: z.boolean() });
      const parsed = await responses.parse({
        model,
        input: 'Tell me about Paris.',
        temperature: 0,
        text: { format: zodTextFormat(City, 'city') },
      });
      assert.ok(City.safeParse(parsed.output_parsed).success);

      const Place = z.object({ city: z.string().max(30), unit: z.enum(['celsius', 'fahrenheit']) });
      const called = await responses
        .stream({
          model,
          input: 'What is the weather in Boston in celsius?',
          temperature: 0,
          tools: [zodResponsesFunction({ name: 'weather', parameters: Place })],
          tool_choice: { type: 'function', name: 'weather' },
        })
        .finalResponse();
      const call = called.output.find(({ type }) => type === 'function_call');
      assert.ok(call?.type === 'function_call');
      assert.ok(Place.safeParse(call.parsed_arguments).success);
    });

    test(`${name}: an answer that is cut off says so, and an answer nobody wants is stopped`, async () => {
      const cut = await responses.create({ model, input: sum, max_output_tokens: 2 });
      assert.deepEqual([cut.status, cut.incomplete_details?.reason], ['incomplete', 'max_output_tokens']);
      await leavesEarly(stage, async () => {
        const extra = { ignore_eos: true } as object;
        const endless = await responses.create({
          model,
          input: 'Count.',
          max_output_tokens: 1900,
          stream: true,
          ...extra,
        });
        for await (const event of endless) if (event.type === 'response.output_text.delta') break;
      });
    });

    test(`${name}: a conversation goes on by its last id, and without its caller`, async () => {
      const first = await responses.create({ model, input: sum, temperature: 0, store: true });
      const second = await responses.create({
        model,
        input: 'Say the number once more.',
        previous_response_id: first.id,
        background: true,
        max_output_tokens: 40,
      });
      const events: string[] = [];
      for await (const { type } of await responses.retrieve(second.id, { stream: true })) events.push(type);
      assert.match(events.at(-1) ?? '', /^response\.(completed|incomplete)$/);
      const kept = await waitUntil('it is written', async () => {
        const now = await responses.retrieve(second.id);
        return now.status === 'queued' || now.status === 'in_progress' ? undefined : now;
      });
      assert.equal(kept.previous_response_id, first.id);
      // The whole conversation was read, and not only the last question.
      assert.ok((kept.usage?.input_tokens ?? 0) > (first.usage?.total_tokens ?? Infinity));
      for (const { id } of [first, second]) await responses.delete(id);
    });

    test(`${name}: refusals come as the errors of the client`, async () => {
      const refused: [object, number, string][] = [
        [{ input: [] }, 400, 'input'],
        [{ input: sum, tools: [{ type: 'web_search' }] }, 400, 'tools'],
        [{ input: sum, model: 'no-such-model' }, 404, 'model'],
        [{ input: 'word '.repeat(50_000) }, 400, 'input'],
      ];
      for (const [body, status, param] of refused) {
        await assert.rejects(
          responses.create({ model, ...body }),
          (error) => error instanceof OpenAI.APIError && error.status === status && error.param === param,
          JSON.stringify(body).slice(0, 80),
        );
      }
    });
  }

  for (const { name, ...address } of stage.doors('alpha-R1')) {
    const { responses } = new OpenAI({ ...address, maxRetries: 0 });

    test(`${name}: thinking is an item of its own`, async () => {
      const final = await responses.stream({ model: 'alpha-R1', input: sum, temperature: 0 }).finalResponse();
      const [thinking] = final.output;
      assert.ok(thinking?.type === 'reasoning');
      assert.notEqual(thinking.content?.[0]?.text, '');
      assert.doesNotMatch(final.output_text, /<\/?think>/);
    });
  }
}
