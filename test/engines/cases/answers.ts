import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hearStream, hearWhole } from '#harness/heard-answer';
import { answersAtOnce, ask, type EngineStage, type StagedModel } from '../stage.ts';

const hello = { messages: ask('Hello'), max_tokens: 12, ...answersAtOnce };
const person = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 12 }, age: { type: 'integer', minimum: 1, maximum: 99 } },
  required: ['name', 'age'],
  additionalProperties: false,
};
const weather = {
  messages: ask('What is the weather in Paris?'),
  max_tokens: 80,
  ...answersAtOnce,
  tools: [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'Get the weather of a city',
        strict: true,
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          additionalProperties: false,
        },
      },
    },
  ],
};

/** What a caller asks for, whole and streamed, with the engine's bytes rewritten and untouched. */
export function proveAnswers({ engine, doors }: EngineStage): void {
  for (const door of doors) {
    const named = (what: string) => `${engine.kind}, ${door.name} door: ${what}`;
    const hear = async (model: StagedModel, body: object) => {
      const whole = hearWhole(await door.post(model, body));
      const streamed = await hearStream(
        await door.stream(model, { ...body, stream_options: { include_usage: true } }),
      );
      return [whole, streamed] as const;
    };

    for (const model of ['plain', 'same'] as const) {
      test(named(`${model}: a whole answer and a stream say the same`), async () => {
        const [whole, streamed] = await hear(model, hello);
        const { content, finish } = whole.choices[0]!;
        assert.ok(content.length > 0);
        assert.match(finish ?? '', /^(?:stop|length)$/);
        assert.deepEqual([streamed.choices[0]!.content, streamed.choices[0]!.finish], [content, finish]);
        for (const { usage } of [whole, streamed]) {
          const { prompt_tokens: asked, completion_tokens: written, total_tokens: total } = usage!;
          assert.ok(Number(written) > 0 && Number(written) <= 12, String(written));
          assert.equal(total, Number(asked) + Number(written));
        }
      });

      test(named(`${model}: tool calls, free and forced`), async () => {
        for (const choice of ['auto', 'required', { type: 'function', function: { name: 'get_weather' } }])
          for (const { choices } of await hear(model, { ...weather, tool_choice: choice })) {
            const { name, arguments: given } = choices[0]!.calls[0]!;
            assert.deepEqual([name, JSON.parse(given)], ['get_weather', { city: 'Paris' }]);
            // OpenAI itself ends a call that was forced by name with `stop`.
            assert.match(
              choices[0]!.finish ?? '',
              typeof choice === 'string' ? /^tool_calls$/ : /^(?:tool_calls|stop)$/,
            );
          }
      });

      test(named(`${model}: log probabilities for every token written`), async () => {
        for (const { choices, usage } of await hear(model, {
          ...hello,
          max_tokens: 4,
          logprobs: true,
          top_logprobs: 2,
        })) {
          assert.equal(choices[0]!.logprobs.length, usage!['completion_tokens']);
          for (const { logprob, top_logprobs: top } of choices[0]!.logprobs) {
            assert.ok(logprob <= 0);
            assert.equal(top.length, 2);
          }
        }
      });

      test(named(`${model}: two choices, each with an end, and all their tokens counted`), async () => {
        const [whole, streamed] = await hear(model, {
          ...hello,
          temperature: 1,
          seed: 7,
          n: 2,
          max_tokens: 4,
          ignore_eos: true,
        });
        for (const { choices } of [whole, streamed])
          assert.deepEqual(
            choices.map(({ finish }) => finish),
            ['length', 'length'],
          );
        for (const { usage } of [whole, streamed]) assert.equal(usage!['completion_tokens'], 8);
      });

      test(named(`${model}: a message is continued, and not repeated`), async () => {
        const prefix = 'The capital of France';
        const [whole, streamed] = await hear(model, {
          messages: [...ask('What is the capital of France?'), { role: 'assistant', content: prefix }],
          max_tokens: 6,
          continue_final_message: true,
          ...answersAtOnce,
        });
        assert.ok(!whole.choices[0]!.content.includes(prefix), whole.choices[0]!.content);
        assert.equal(streamed.choices[0]!.content, whole.choices[0]!.content);
      });
    }

    test(named('structured output has the shape that was asked for'), async () => {
      const format = { type: 'json_schema', json_schema: { name: 'person', schema: person, strict: true } };
      const messages = ask('Give me a person with a name and an age.');
      for (const { choices } of await hear('plain', {
        messages,
        max_tokens: 120,
        ...answersAtOnce,
        response_format: format,
      })) {
        const { name, age, ...rest } = JSON.parse(choices[0]!.content) as { name: string; age: number };
        assert.deepEqual([typeof name, Number.isInteger(age), rest], ['string', true, {}]);
      }
    });

    test(named('thinking comes in both fields, or in tags, as the caller wants it'), async () => {
      const sum = { messages: ask('What is 12 + 30?'), max_tokens: 120, temperature: 0 };
      for (const { choices } of await hear('fields', sum)) {
        const { content, reasoning, reasoningContent } = choices[0]!;
        assert.match(reasoning, /12|42/);
        assert.equal(reasoningContent, reasoning);
        assert.match(content, /42/);
        assert.doesNotMatch(content, /think>/);
      }
      for (const { choices } of await hear('tags', sum)) {
        assert.match(choices[0]!.content, /^<think>[^<]+<\/think>[^<]*42[^<]*$/);
        assert.deepEqual([choices[0]!.reasoning, choices[0]!.reasoningContent], ['', '']);
      }
    });

    test(named('stop words end an answer, and a seed repeats one'), async () => {
      for (const { choices } of await hear('plain', { ...hello, max_tokens: 40, stop: ['!', '?', '.'] })) {
        assert.doesNotMatch(choices[0]!.content, /[!?.]/);
        assert.equal(choices[0]!.finish, 'stop');
      }
      const seeded = { ...hello, temperature: 1, seed: 11 };
      if (!engine.abilities.repeatsSeeds) return;
      const [first, again] = [await door.post('plain', seeded), await door.post('plain', seeded)].map(
        hearWhole,
      );
      assert.equal(first!.choices[0]!.content, again!.choices[0]!.content);
    });

    test(named('what engines stumble over is taken out on the way'), async () => {
      const nulls = { stop: null, tools: null, tool_choice: null, n: null, stream: null, logprobs: null };
      for (const extra of [
        nulls,
        { tools: [] },
        { tool_choice: 'auto' },
        { stream_options: { include_usage: true } },
      ])
        assert.equal((await door.post('plain', { ...hello, ...extra })).status, 200, JSON.stringify(extra));
    });
  }
}
