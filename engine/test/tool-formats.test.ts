import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { startPocketServer } from './pocket-server.ts';

/** Enough of each family's template to be told by; the pocket model writes whatever it is made to. */
const plain = `{%- for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{%- endfor %}<|im_start|>assistant\n`;
const templates = {
  hermes: `${plain}{%- if false %}<tool_call>{%- endif %}`,
  llama: `${plain}{%- if false %}{"name": "", "parameters": {}}{%- endif %}`,
  mistral: `${plain}{%- if false %}[TOOL_CALLS]{%- endif %}`,
};
const weather = {
  type: 'function' as const,
  function: {
    name: 'get_current_weather',
    parameters: {
      type: 'object',
      properties: {
        location: { type: 'string', minLength: 1, maxLength: 30 },
        format: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      },
      required: ['location', 'format'],
      additionalProperties: false,
    },
  },
};

for (const [family, chatTemplate] of Object.entries(templates)) {
  test(`calls in the manner of ${family}: obeyed, streamed, and told by their finish_reason`, async () => {
    await using server = await startPocketServer({ chatTemplate });
    const openai = new OpenAI({ apiKey: 'unused', baseURL: server.url });
    const request = {
      model: 'beta-4-scout',
      messages: [{ role: 'user' as const, content: 'What is the weather in Boston in celsius?' }],
      tools: [weather],
      tool_choice: 'required' as const,
      parallel_tool_calls: false,
      temperature: 0,
      max_tokens: 120,
    };
    const whole = await openai.chat.completions.create(request);
    const scored = await openai.chat.completions.create({ ...request, logprobs: true });
    const streamed = await openai.chat.completions.stream(request).finalChatCompletion();
    for (const { choices } of [whole, scored, streamed]) {
      assert.equal(choices[0]?.finish_reason, 'tool_calls');
      assert.equal(choices[0].message.content ?? '', '');
      assert.equal(choices[0].message.tool_calls?.length, 1);
      const [call] = choices[0].message.tool_calls;
      assert.ok(call?.type === 'function');
      assert.equal(call.function.name, 'get_current_weather');
      const { location, format } = JSON.parse(call.function.arguments) as Record<string, string>;
      assert.ok(location !== undefined && location !== '');
      assert.match(format ?? '', /^(celsius|fahrenheit)$/);
    }
    const none = await openai.chat.completions.create({ ...request, tool_choice: 'none' });
    assert.equal(none.choices[0]?.message.tool_calls, undefined);
  });
}
