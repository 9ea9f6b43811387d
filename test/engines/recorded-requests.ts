/** What every engine is asked when it is recorded. Answers are kept short: the shapes matter, not the words. */
export interface RecordedRequest {
  readonly path: string;
  /** Absent for a GET. `model` is added. */
  readonly body?: object;
  /** Only the lines that match are kept of the answer. */
  readonly keeps?: RegExp;
}

const user = (content: string) => [{ role: 'user', content }];
const isPlain = { temperature: 0, chat_template_kwargs: { enable_thinking: false } };
const hello = { messages: user('Hello'), max_tokens: 5, ...isPlain };
const sum = { messages: user('What is 12 + 30?'), max_tokens: 80, temperature: 0 };
const withUsage = { stream: true, stream_options: { include_usage: true } };
const weather = {
  messages: user('What is the weather in Paris?'),
  max_tokens: 60,
  ...isPlain,
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
const named = { tool_choice: { type: 'function', function: { name: 'get_weather' } } };
const schema = (value: object) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'person', schema: value } },
});
const person = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 12 } },
  required: ['name'],
};
const prefix = { role: 'assistant', content: 'Hello, my' };
const continued = {
  messages: [...user('Say hello'), prefix],
  max_tokens: 4,
  continue_final_message: true,
  add_generation_prompt: false,
  ...isPlain,
};
const once = { prompt: 'Once upon', max_tokens: 3, temperature: 0 };
const chat = '/v1/chat/completions';
const text = '/v1/completions';

export const recordedRequests: Readonly<Record<string, RecordedRequest>> = {
  chat: { path: chat, body: hello },
  'chat-stream': { path: chat, body: { ...hello, stream: true } },
  'chat-stream-usage': { path: chat, body: { ...hello, ...withUsage } },
  'chat-stop': { path: chat, body: { ...hello, max_tokens: 30, stop: ['!'] } },
  'chat-logprobs': { path: chat, body: { ...hello, max_tokens: 2, logprobs: true, top_logprobs: 2 } },
  'chat-logprobs-stream': {
    path: chat,
    body: { ...hello, max_tokens: 3, logprobs: true, top_logprobs: 2, stream: true },
  },
  'chat-two-choices': { path: chat, body: { ...hello, temperature: 1, seed: 7, n: 2 } },
  'chat-two-choices-stream': { path: chat, body: { ...hello, temperature: 1, seed: 7, n: 2, ...withUsage } },
  'chat-continued': { path: chat, body: continued },
  'chat-continued-stream': { path: chat, body: { ...continued, stream: true } },
  'chat-structured': { path: chat, body: { ...hello, max_tokens: 40, ...schema(person) } },
  'chat-nulls': {
    path: chat,
    body: { ...hello, n: null, stop: null, tools: null, logprobs: null, seed: null },
  },
  thinking: { path: chat, body: sum },
  'thinking-stream': { path: chat, body: { ...sum, ...withUsage } },
  'thinking-cut-off': { path: chat, body: { ...sum, max_tokens: 6 } },
  tools: { path: chat, body: weather },
  'tools-stream': { path: chat, body: { ...weather, ...withUsage } },
  'tools-required': { path: chat, body: { ...weather, tool_choice: 'required' } },
  'tools-required-stream': { path: chat, body: { ...weather, tool_choice: 'required', stream: true } },
  'tools-named-stream': { path: chat, body: { ...weather, ...named, stream: true } },
  text: { path: text, body: once },
  'text-stream': { path: text, body: { ...once, stream: true } },
  'text-stream-usage': { path: text, body: { ...once, ...withUsage } },
  'text-logprobs': { path: text, body: { ...once, logprobs: 2 } },
  'text-logprobs-stream': { path: text, body: { ...once, logprobs: 2, stream: true } },
  responses: { path: '/v1/responses', body: { input: 'Hello', max_output_tokens: 5, temperature: 0 } },
  'responses-stream': {
    path: '/v1/responses',
    body: { input: 'Hello', max_output_tokens: 5, temperature: 0, stream: true },
  },
  messages: { path: '/v1/messages', body: { messages: user('Hello'), max_tokens: 5, temperature: 0 } },
  'messages-stream': {
    path: '/v1/messages',
    body: { messages: user('Hello'), max_tokens: 5, temperature: 0, stream: true },
  },
  'messages-count': { path: '/v1/messages/count_tokens', body: { messages: user('Hello') } },
  tokenize: { path: '/tokenize', body: { prompt: 'hello world', content: 'hello world' } },
  detokenize: { path: '/detokenize', body: { tokens: [40, 41, 42] } },
  embeddings: { path: '/v1/embeddings', body: { input: 'hello' } },
  score: { path: '/v1/score', body: { text_1: 'a', text_2: ['b'], query: 'a', items: ['b'] } },
  'error-too-long': { path: chat, body: { messages: user('word '.repeat(2500)) } },
  'error-too-long-stream': { path: chat, body: { messages: user('word '.repeat(2500)), stream: true } },
  'error-too-many-tokens': { path: chat, body: { ...hello, max_tokens: 4000 } },
  'error-wrong-type': { path: chat, body: { ...hello, temperature: 'hot' } },
  'error-out-of-range': { path: chat, body: { ...hello, top_p: 5 } },
  'error-no-messages': { path: chat, body: {} },
  'error-empty-messages': { path: chat, body: { ...hello, messages: [] } },
  'error-unknown-model': { path: chat, body: { ...hello, max_tokens: 1, model: 'nobody' } },
  'error-schema': { path: chat, body: { ...hello, max_tokens: 2, ...schema({ type: 'nonsense' }) } },
  'error-no-such-path': { path: '/v1/nothing', body: {} },
  'get-models': { path: '/v1/models' },
  'get-health': { path: '/health' },
  'get-load': { path: '/v1/loads' },
  'get-metrics': {
    path: '/metrics',
    keeps: /requests_(running|waiting|processing|deferred)|_(running|queue)_reqs/,
  },
};
