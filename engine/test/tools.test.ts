import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { startPocketEngine } from './pocket-engine.ts';
import type { PocketEngine } from './pocket-engine.ts';

let engine: PocketEngine;
let openai: OpenAI;
before(async () => {
  engine = await startPocketEngine();
  openai = new OpenAI({ apiKey: 'unused', baseURL: `${engine.address}/v1` });
});
after(() => engine.close());

const weather = {
  type: 'function' as const,
  function: {
    name: 'get_current_weather',
    description: 'Get the current weather',
    parameters: {
      type: 'object',
      properties: {
        location: { type: 'string', description: 'The city, e.g. San Francisco' },
        format: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      },
      required: ['location', 'format'],
    },
  },
};
const clock = {
  type: 'function' as const,
  function: {
    name: 'get_time',
    description: 'Get the time in a place',
    parameters: {
      type: 'object',
      properties: {
        place: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        offsets: { type: 'array', items: { $ref: '#/$defs/offset' }, minItems: 1, maxItems: 2 },
      },
      required: ['place', 'offsets'],
      $defs: {
        offset: { type: 'object', properties: { hours: { type: 'integer' } }, required: ['hours'] },
      },
    },
  },
};
const ask = (content: string) => [{ role: 'user' as const, content }];
const boston = ask('What is the weather in Boston in celsius?');

for (const model of ['beta-4-scout', 'gamma-oss-120b']) {
  test(`${model} calls the tool of the contract, streaming and not`, async () => {
    const request = {
      model,
      messages: boston,
      tools: [weather],
      tool_choice: 'auto' as const,
      temperature: 0,
    };
    const whole = await openai.chat.completions.create(request);
    const call = whole.choices[0]?.message.tool_calls?.[0];
    assert.equal(whole.choices[0]?.finish_reason, 'tool_calls');
    assert.ok(call?.type === 'function');
    assert.equal(call.function.name, 'get_current_weather');
    assert.deepEqual(JSON.parse(call.function.arguments), { location: 'Boston', format: 'celsius' });

    const streamed = await openai.chat.completions.stream(request).finalChatCompletion();
    const streamedCall = streamed.choices[0]?.message.tool_calls?.[0];
    assert.ok(streamedCall?.type === 'function');
    assert.equal(streamedCall.function.arguments, call.function.arguments);
  });
}

test('the answer to a call becomes an answer in words', async () => {
  const messages = [
    ...boston,
    {
      role: 'assistant' as const,
      content: null,
      tool_calls: [
        {
          id: 'call_1',
          type: 'function' as const,
          function: { name: 'get_current_weather', arguments: '{"location": "Boston", "format": "celsius"}' },
        },
      ],
    },
    { role: 'tool' as const, tool_call_id: 'call_1', content: '{"temperature": 21, "unit": "celsius"}' },
  ];
  const answer = await openai.chat.completions.create({
    model: 'beta-4-scout',
    messages,
    tools: [weather],
    temperature: 0,
  });
  assert.equal(answer.choices[0]?.finish_reason, 'stop');
  assert.match(answer.choices[0].message.content ?? '', /21/);
});

const texts = (name: string, ...properties: readonly string[]) => ({
  type: 'function' as const,
  function: {
    name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(properties.map((property) => [property, { type: 'string' }])),
      required: properties,
    },
  },
});
const quotedTexts = [
  {
    tool: texts('create_note', 'title', 'text'),
    question: 'Create a note with the title "Gift ideas" and the text "a blue scarf, a book about birds".',
  },
  {
    tool: texts('add_calendar_event', 'title', 'date'),
    question: 'Add an event called "Team lunch" to the calendar for 2024-05-17.',
  },
];
for (const { tool, question } of quotedTexts) {
  test(`${tool.function.name} ends as the model ends it when nothing holds it`, async () => {
    const prompt = { model: 'beta-4-scout', messages: ask(question), tools: [tool] };
    const { tokens } = (await engine.post('/tokenize', prompt)).body as { tokens: number[] };
    const free = await engine.complete({
      model: prompt.model,
      prompt: tokens,
      temperature: 0,
      max_tokens: 99,
    });
    const written = /^<tool_call>\n(.*)\n<\/tool_call>$/.exec(free.choices[0]?.text ?? '')?.[1] ?? '';
    for (const tool_choice of ['auto', 'required'] as const) {
      const answer = await engine.chat({ ...prompt, tool_choice, temperature: 0 });
      const { name, arguments: text } = answer.choices[0]?.message.tool_calls?.[0]?.function ?? {};
      assert.deepEqual({ name, arguments: JSON.parse(text ?? '') }, JSON.parse(written));
    }
  });
}

test('tool_choice: none, required and named', async () => {
  const base = { model: 'beta-4-scout', tools: [weather, clock], temperature: 0 };
  const none = await engine.chat({ ...base, messages: boston, tool_choice: 'none' });
  assert.equal(none.choices[0]?.message.tool_calls, undefined);
  assert.notEqual(none.choices[0]?.message.content, '');

  for (const model of ['beta-4-scout', 'gamma-oss-120b']) {
    const required = await engine.chat({ ...base, model, messages: ask('Hello!'), tool_choice: 'required' });
    assert.ok((required.choices[0]?.message.tool_calls?.length ?? 0) >= 1, model);

    const tool_choice = { type: 'function', function: { name: 'get_time' } };
    const named = await engine.chat({ ...base, model, messages: boston, tool_choice });
    assert.equal(named.choices[0]?.message.tool_calls?.length, 1);
    const [call] = named.choices[0]?.message.tool_calls ?? [];
    assert.equal(call?.function.name, 'get_time');
    const read = JSON.parse(call.function.arguments) as { place: unknown; offsets: { hours: unknown }[] };
    assert.ok(read.place === null || typeof read.place === 'string');
    assert.ok(read.offsets.length >= 1 && read.offsets.every(({ hours }) => Number.isInteger(hours)));
  }
});

test('parallel_tool_calls: false ends after the first call', async () => {
  const answer = await engine.chat({
    model: 'beta-4-scout',
    messages: ask('What is the weather in Boston and in Paris, both in celsius?'),
    tools: [weather],
    tool_choice: 'required',
    parallel_tool_calls: false,
    temperature: 0,
  });
  assert.equal(answer.choices[0]?.message.tool_calls?.length, 1);
  assert.equal(answer.choices[0].finish_reason, 'tool_calls');
});

test('arguments are whole even when few tokens are left', async () => {
  const answer = await engine.chat({
    model: 'beta-4-scout',
    messages: boston,
    tools: [weather],
    tool_choice: 'required',
    max_tokens: 48,
    temperature: 2,
    seed: 9,
  });
  const [call] = answer.choices[0]?.message.tool_calls ?? [];
  assert.match(
    (JSON.parse(call?.function.arguments ?? '') as { format: string }).format,
    /^(celsius|fahrenheit)$/,
  );
});

test('a schema that cannot be honoured is refused by its keyword', async () => {
  const parameters = {
    type: 'object',
    properties: { a: { type: 'integer', not: { anyOf: [{ multipleOf: 4 }, { multipleOf: 6 }] } } },
    required: ['a'],
  };
  const reply = await engine.post('/v1/chat/completions', {
    model: 'beta-4-scout',
    messages: boston,
    tools: [{ type: 'function', function: { name: 'odd', parameters } }],
  });
  assert.equal(reply.status, 400);
  const { error } = reply.body as { error: { message: string; param: string } };
  assert.match(error.message, /"not"/);
  assert.match(error.param, /^tools\[0\]\.function\.parameters/);
});
