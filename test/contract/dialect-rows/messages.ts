import { pictureData, type ProbesOfRows } from './probe.ts';

const weather = { name: 'weather', input_schema: { type: 'object', properties: {} } };
const hello = { role: 'user', content: 'hello' };
const said = (...content: readonly object[]) => ({ asks: { messages: [{ role: 'user', content }] } });
const shape = { type: 'object', properties: {}, additionalProperties: false };

export const rowsOfMessages: ProbesOfRows = {
  '`model`, `stream`, `temperature`, `top_p`, `top_k`': [
    {
      asks: { temperature: 0.5, top_p: 0.9, top_k: 5 },
      reaches: { temperature: 0.5, top_p: 0.9, top_k: 5 },
    },
  ],
  '`seed`, `min_p`, penalties, `chat_template_kwargs`': [
    {
      asks: {
        seed: 3,
        min_p: 0.1,
        frequency_penalty: 0.2,
        presence_penalty: 0.3,
        chat_template_kwargs: { enable_thinking: false },
      },
      reaches: {
        seed: 3,
        min_p: 0.1,
        frequency_penalty: 0.2,
        presence_penalty: 0.3,
        chat_template_kwargs: { enable_thinking: false },
      },
    },
  ],
  '`max_tokens`': [
    { asks: { max_tokens: undefined }, refused: /max_tokens/ },
    { asks: { max_tokens: 40 }, reaches: { max_tokens: 40 } },
  ],
  '`system`': [
    {
      asks: {
        system: [
          { type: 'text', text: 'One.' },
          { type: 'text', text: 'Two.' },
        ],
      },
      reaches: { messages: [{ role: 'system' }, hello] },
    },
  ],
  '`messages`: text, `tool_use`, `tool_result`': [
    {
      asks: {
        tools: [weather],
        messages: [
          hello,
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: {} }] },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'no such city', is_error: true }],
          },
        ],
      },
      reaches: {
        messages: [
          hello,
          { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'weather', arguments: '{}' } }] },
          { role: 'tool', tool_call_id: 'c1', content: 'Error: no such city' },
        ],
      },
    },
  ],
  '`messages`: `image`': [
    {
      ...said({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pictureData } }),
      reaches: {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${pictureData}` } }],
          },
        ],
      },
    },
    {
      ...said({ type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }),
      refused: /address/,
    },
    { ...said({ type: 'image', source: { type: 'file', file_id: 'f1' } }), refused: /file|image/ },
  ],
  '`messages`: `document`, `search_result`': [
    {
      ...said(
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A page.' } },
        {
          type: 'search_result',
          source: 'https://example.org',
          title: 'Found',
          content: [{ type: 'text', text: 'A line.' }],
        },
      ),
    },
    {
      ...said({
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
      }),
      refused: /document|PDF|pdf/,
    },
  ],
  '`messages`: `thinking`': [
    {
      asks: {
        messages: [
          hello,
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm.', signature: 'x' },
              { type: 'redacted_thinking', data: 'sealed' },
              { type: 'text', text: 'Yes.' },
            ],
          },
          hello,
        ],
      },
      reaches: { messages: [hello, { role: 'assistant', content: 'Yes.', reasoning_content: 'Hm.' }, hello] },
    },
  ],
  'messages of the role `system` in the midst': [
    {
      asks: { messages: [hello, { role: 'system', content: 'Mind the time.' }] },
      reaches: { messages: [{ role: 'user' }] },
    },
  ],
  "an assistant's message at the end": [
    {
      asks: { messages: [hello, { role: 'assistant', content: 'Once' }] },
      reaches: { continue_final_message: true, messages: [hello, { role: 'assistant', content: 'Once' }] },
    },
  ],
  '`tools`, `tool_choice`, `disable_parallel_tool_use`': [
    {
      asks: {
        tools: [{ ...weather, strict: true }],
        tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
      },
      reaches: {
        tools: [{ type: 'function', function: { name: 'weather', strict: true } }],
        tool_choice: { type: 'function', function: { name: 'weather' } },
        parallel_tool_calls: false,
      },
    },
    { asks: { tools: [weather], tool_choice: { type: 'any' } }, reaches: { tool_choice: 'required' } },
  ],
  '`defer_loading`, `tool_reference`, `tool_addition`, `tool_removal`': [
    {
      asks: { tools: [weather, { ...weather, name: 'later', defer_loading: true }] },
      reaches: { tools: [{ function: { name: 'weather' } }] },
    },
  ],
  'tools with a `type` of their own (`web_search_…`, `bash_…`)': ['web_search_20250305', 'bash_20250124'].map(
    (type) => ({ asks: { tools: [{ type, name: type.split('_')[0] }] }, refused: new RegExp(type) }),
  ),
  '`thinking`': [{ asks: { thinking: { type: 'adaptive' } }, lacks: ['thinking'] }],
  '`thinking.budget_tokens`': [
    ...(
      [
        [4096, 'low'],
        [16_384, 'medium'],
        [16_385, 'high'],
      ] as const
    ).map(([budget_tokens, reasoning_effort]) => ({
      asks: { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens } },
      knowsEffort: true,
      reaches: { reasoning_effort },
    })),
    { asks: { thinking: { type: 'disabled' } }, knowsEffort: true, reaches: { reasoning_effort: 'low' } },
    {
      asks: { thinking: { type: 'disabled' } },
      lacks: ['reasoning_effort'],
      reaches: { chat_template_kwargs: { enable_thinking: false } },
    },
    {
      asks: { thinking: { type: 'enabled', budget_tokens: 1024 } },
      lacks: ['reasoning_effort'],
      ignored: 'thinking.budget_tokens',
    },
  ],
  '`output_config.effort`': [
    { asks: { output_config: { effort: 'max' } }, knowsEffort: true, reaches: { reasoning_effort: 'high' } },
    {
      asks: { output_config: { effort: 'medium' } },
      knowsEffort: true,
      reaches: { reasoning_effort: 'medium' },
    },
  ],
  '`output_config.format`, `output_format`': [
    {
      asks: { output_config: { format: { type: 'json_schema', schema: shape } } },
      reaches: { response_format: { type: 'json_schema', json_schema: { schema: shape } } },
    },
    {
      asks: { output_format: { type: 'json_schema', schema: shape } },
      reaches: { response_format: { type: 'json_schema', json_schema: { schema: shape } } },
    },
  ],
  '`stop_sequences`': [{ asks: { stop_sequences: ['x'] }, reaches: { stop: ['x'] } }],
  '`metadata.user_id`': [
    { asks: { metadata: { user_id: 'somebody' } }, lacks: ['metadata'], reaches: { user: 'somebody' } },
  ],
  '`service_tier`': [{ asks: { service_tier: 'flex' } }, { asks: { service_tier: 'auto' } }],
  '`cache_control`': [
    {
      asks: {
        cache_control: { type: 'ephemeral' },
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'hello', cache_control: { type: 'ephemeral' } }] },
        ],
      },
      lacks: ['cache_control'],
    },
  ],
  '`mcp_servers`, `container`': [
    {
      asks: { mcp_servers: [{ type: 'url', url: 'https://example.org', name: 'x' }] },
      refused: /mcp_servers/,
    },
    { asks: { container: 'c1' }, refused: /container/ },
  ],
  'anything else': [
    { asks: { nobody_knows: 1 }, lacks: ['nobody_knows'], ignored: 'nobody_knows' },
    { asks: { n: 1000 }, refused: /\bn\b/ },
  ],
};
