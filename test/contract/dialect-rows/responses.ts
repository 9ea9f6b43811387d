import { pictureData, type ProbesOfRows } from './probe.ts';

const weather = { type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } };
const picture = `data:image/png;base64,${pictureData}`;
const hello = { role: 'user', content: 'hello' };
const said = (content: readonly object[], role = 'user') => ({ asks: { input: [{ role, content }] } });
const shape = { type: 'object', properties: {}, required: [], additionalProperties: false };

export const rowsOfResponses: ProbesOfRows = {
  '`model`, `stream`, `temperature`, `top_p`, `user`': [
    {
      asks: { temperature: 0.5, top_p: 0.9, user: 'somebody' },
      reaches: { temperature: 0.5, top_p: 0.9, user: 'somebody' },
    },
  ],
  '`parallel_tool_calls`': [
    { asks: { tools: [weather], parallel_tool_calls: false }, reaches: { parallel_tool_calls: false } },
  ],
  '`seed`, `stop`, `top_k`, `min_p`, penalties, `logit_bias`': [
    {
      asks: { seed: 3, stop: ['x'], top_k: 5, min_p: 0.1, frequency_penalty: 0.2, presence_penalty: 0.3 },
      reaches: { seed: 3, stop: ['x'], top_k: 5, min_p: 0.1, frequency_penalty: 0.2, presence_penalty: 0.3 },
    },
    { asks: { repetition_penalty: 1.1, logit_bias: { 7: 1 } }, reaches: { repetition_penalty: 1.1 } },
    {
      asks: { min_tokens: 1, ignore_eos: true, chat_template_kwargs: { enable_thinking: false } },
      reaches: { min_tokens: 1, ignore_eos: true, chat_template_kwargs: { enable_thinking: false } },
    },
  ],
  '`instructions`, `input`: messages': [
    {
      asks: { instructions: 'Be brief.', input: [{ role: 'developer', content: 'Be kind.' }, hello] },
      reaches: { messages: [{ role: 'system', content: 'Be brief.\n\nBe kind.' }, hello] },
    },
  ],
  '`input`: `input_text`, `output_text`, `refusal`': [
    {
      ...said([
        { type: 'input_text', text: 'one' },
        { type: 'input_text', text: 'two' },
      ]),
      reaches: { messages: [{ role: 'user', content: 'one\ntwo' }] },
    },
    {
      asks: {
        input: [{ role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }, hello],
      },
      reaches: { messages: [{ role: 'assistant', content: 'No.' }, hello] },
    },
  ],
  '`input`: `input_image`': [
    {
      ...said([{ type: 'input_image', image_url: picture, detail: 'auto' }]),
      reaches: {
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: picture } }] }],
      },
    },
    { ...said([{ type: 'input_image', image_url: 'https://example.org/a.png' }]), refused: /image_url/ },
    { ...said([{ type: 'input_image', file_id: 'file-1' }]), refused: /[Nn]o files/ },
  ],
  '`input`: `function_call`, `custom_tool_call` and their outputs': [
    {
      asks: {
        tools: [weather],
        input: [
          hello,
          { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{}' },
          { type: 'custom_tool_call', call_id: 'c2', name: 'note', input: 'x' },
          { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
          { type: 'custom_tool_call_output', call_id: 'c2', output: 'noted' },
        ],
      },
      reaches: {
        messages: [
          hello,
          {
            role: 'assistant',
            tool_calls: [{ id: 'c1', function: { name: 'weather', arguments: '{}' } }, { id: 'c2' }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
          { role: 'tool', tool_call_id: 'c2', content: 'noted' },
        ],
      },
    },
  ],
  '`input`: `reasoning`': [
    {
      asks: {
        input: [
          hello,
          {
            type: 'reasoning',
            id: 'r1',
            summary: [],
            content: [{ type: 'reasoning_text', text: 'Hm.' }],
            encrypted_content: 'sealed',
          },
          { role: 'assistant', content: 'Yes.' },
          hello,
        ],
      },
      reaches: {
        messages: [
          hello,
          { role: 'assistant', content: 'Yes.', reasoning: 'Hm.', reasoning_content: 'Hm.' },
          hello,
        ],
      },
    },
  ],
  '`input`: `input_file`, `item_reference`, items of hosted tools': [
    { ...said([{ type: 'input_file', file_data: 'x' }]), refused: /input_file/ },
    { asks: { input: [{ type: 'item_reference', id: 'x' }] }, refused: /item_reference/ },
    {
      asks: { input: [{ type: 'web_search_call', id: 'x', status: 'completed' }] },
      refused: /web_search_call/,
    },
  ],
  '`tools`: `function`, `custom`, `namespace`': [
    {
      asks: {
        tools: [
          weather,
          { type: 'custom', name: 'note', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
          { type: 'namespace', name: 'house', description: '', tools: [{ ...weather, name: 'light' }] },
        ],
      },
      reaches: {
        tools: [
          { function: { name: 'weather' } },
          { function: { name: 'note' } },
          { function: { name: 'house__light' } },
        ],
      },
      ignored: 'tools.format',
    },
  ],
  '`tools`: `web_search`': [
    {
      asks: { tools: [weather, { type: 'web_search' }] },
      reaches: { tools: [{ function: { name: 'weather' } }] },
      ignored: 'tools.web_search',
    },
    { asks: { tools: [{ type: 'web_search' }] }, refused: /web_search/ },
  ],
  'other hosted tools (`mcp`, `file_search`, `code_interpreter`, …)': [
    'mcp',
    'file_search',
    'code_interpreter',
    'image_generation',
  ].map((type) => ({ asks: { tools: [weather, { type }] }, refused: new RegExp(type) })),
  '`tool_choice`': [
    {
      asks: { tools: [weather], tool_choice: { type: 'function', name: 'weather' } },
      reaches: { tool_choice: { type: 'function', function: { name: 'weather' } } },
    },
    {
      asks: {
        tools: [weather, { ...weather, name: 'other' }],
        tool_choice: {
          type: 'allowed_tools',
          mode: 'required',
          tools: [{ type: 'function', name: 'other' }],
        },
      },
      reaches: { tools: [{ function: { name: 'other' } }], tool_choice: 'required' },
    },
    { asks: { tools: [weather], tool_choice: { type: 'file_search' } }, refused: /file_search/ },
  ],
  '`max_output_tokens`': [{ asks: { max_output_tokens: 40 }, reaches: { max_tokens: 40 } }],
  '`reasoning.effort`': [
    ...(
      [
        ['none', 'low'],
        ['minimal', 'low'],
        ['medium', 'medium'],
        ['xhigh', 'high'],
        ['max', 'high'],
      ] as const
    ).map(([effort, reasoning_effort]) => ({
      asks: { reasoning: { effort } },
      knowsEffort: true,
      reaches: { reasoning_effort },
    })),
    { asks: { reasoning: { effort: 'high' } }, lacks: ['reasoning_effort'], ignored: 'reasoning.effort' },
    {
      asks: { reasoning: { effort: 'none' } },
      lacks: ['reasoning_effort'],
      reaches: { chat_template_kwargs: { enable_thinking: false } },
    },
  ],
  '`reasoning.summary`': [
    { asks: { reasoning: { summary: 'auto' } }, lacks: ['reasoning'], ignored: 'reasoning.summary' },
  ],
  '`text.format`': [
    {
      asks: { text: { format: { type: 'json_schema', name: 'a', schema: shape, strict: true } } },
      reaches: {
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema: shape, strict: true } },
      },
    },
  ],
  '`text.verbosity`': [
    { asks: { text: { verbosity: 'low' } }, lacks: ['verbosity'], ignored: 'text.verbosity' },
  ],
  '`top_logprobs`, `include: [message.output_text.logprobs]`': [
    { asks: { top_logprobs: 2 }, reaches: { logprobs: true, top_logprobs: 2 } },
    { asks: { include: ['message.output_text.logprobs'] }, reaches: { logprobs: true } },
  ],
  'other values of `include`': [
    {
      asks: { include: ['reasoning.encrypted_content'] },
      lacks: ['include'],
      ignored: 'include.reasoning.encrypted_content',
    },
  ],
  '`truncation: auto`': [
    {
      asks: {
        truncation: 'auto',
        input: [{ role: 'user', content: 'old '.repeat(6000) }, { role: 'assistant', content: 'yes' }, hello],
      },
      reaches: { messages: [hello] },
    },
    { asks: { truncation: 'auto' }, knowsEffort: true, ignored: 'truncation' },
  ],
  '`metadata`': [{ asks: { metadata: { a: 'b' } }, lacks: ['metadata'], answers: { metadata: { a: 'b' } } }],
  '`service_tier`': [{ asks: { service_tier: 'flex' } }, { asks: { service_tier: 'priority' } }],
  '`store`': [{ asks: { store: true }, lacks: ['store'], answers: { store: true } }],
  '`previous_response_id`': [
    {
      asks: { input: [hello] },
      goesOn: true,
      reaches: { messages: [hello, { role: 'assistant' }, hello] },
    },
  ],
  '`background`': [{ asks: { background: true }, answers: { background: true } }],
  '`prompt`, `conversation`': [
    { asks: { prompt: { id: 'pmpt_1' } }, refused: /prompt/ },
    { asks: { conversation: 'conv_1' }, refused: /conversation/ },
  ],
  'anything else': [
    { asks: { nobody_knows: 1 }, lacks: ['nobody_knows'], ignored: 'nobody_knows' },
    { asks: { n: 1000 }, refused: /\bn\b/ },
  ],
};
