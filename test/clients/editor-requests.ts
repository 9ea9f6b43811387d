import { weatherTool } from './questions.ts';

/** Requests as these programs put them together, with the fields, nulls and headers they are known to send. */
export interface RecordedRequest {
  readonly client: string;
  /** After the address the user typed; `openai` libraries and editors each join the two in their own way. */
  readonly base: '/api' | '/api/' | '/api/v1' | '/beta-4-scout/v1' | '/beta-4-scout/v1/' | '/beta-4-scout';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const model = 'beta-4-scout';
const question = 'What is 17 plus 25?';
const system = { role: 'system', content: 'You are a helpful assistant. Answer briefly.' };
const chat = '/chat/completions';
const stainless = {
  'user-agent': 'OpenAI/JS 6.1.0',
  'x-stainless-lang': 'js',
  'x-stainless-package-version': '6.1.0',
  'x-stainless-os': 'Linux',
  'x-stainless-arch': 'x64',
  'x-stainless-runtime': 'node',
  'x-stainless-runtime-version': 'v22.0.0',
  'x-stainless-retry-count': '0',
  'x-stainless-timeout': '600',
};

/** Stands for the key of the test. */
export const theKey = 'the key';

const continueRequests: readonly RecordedRequest[] = [
  {
    client: 'Continue, chat',
    base: '/api/',
    path: '/chat/completions',
    headers: { 'api-key': theKey, 'x-api-key': theKey },
    body: {
      model,
      messages: [system, { role: 'user', content: [{ type: 'text', text: question }] }],
      max_tokens: 64,
      temperature: 0,
      stop: null,
      stream: true,
      stream_options: { include_usage: true },
    },
  },
  {
    client: 'Continue, agent with a tool result in its history',
    base: '/beta-4-scout/v1/',
    path: chat,
    body: {
      model,
      messages: [
        system,
        { role: 'user', content: 'What is the weather in Boston in celsius?' },
        {
          role: 'assistant',
          content: ' ',
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: {
                name: 'get_current_weather',
                arguments: '{"location":"Boston","format":"celsius"}',
              },
            },
          ],
        },
        { role: 'tool', content: 'It is 42 degrees celsius.', tool_call_id: 'call_1' },
      ],
      tools: [{ ...weatherTool, function: { ...weatherTool.function, strict: false } }],
      parallel_tool_calls: false,
      temperature: 0,
      max_tokens: 64,
      stream: true,
    },
  },
];

const clineRequests: readonly RecordedRequest[] = [
  {
    client: 'Cline',
    base: '/api',
    path: chat,
    headers: { ...stainless, 'http-referer': 'https://editor.example', 'x-title': 'Cline' },
    body: {
      model,
      messages: [
        system,
        {
          role: 'user',
          content: [
            { type: 'text', text: 'The task is:' },
            { type: 'text', text: question },
          ],
        },
      ],
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
      tools: [weatherTool],
      tool_choice: 'none',
      parallel_tool_calls: false,
    },
  },
  {
    client: 'Cline, a model it takes for one of the o-series',
    base: '/beta-4-scout/v1',
    path: chat,
    headers: stainless,
    body: {
      model,
      messages: [
        { role: 'developer', content: 'Formatting re-enabled' },
        { role: 'user', content: question },
      ],
      temperature: 0,
      max_completion_tokens: 64,
      stream: true,
      stream_options: { include_usage: true },
      tools: [],
    },
  },
];

const aiderRequests: readonly RecordedRequest[] = [
  {
    client: 'aider, through litellm',
    base: '/api/v1',
    path: chat,
    headers: { 'user-agent': 'AsyncOpenAI/Python 2.1.0', 'x-stainless-lang': 'python' },
    body: {
      model: `openai/${model}`,
      messages: [
        system,
        { role: 'user', content: 'I am not sharing any files yet.' },
        { role: 'assistant', content: 'Ok.' },
        { role: 'user', content: question },
        { role: 'system', content: 'Answer briefly.' },
      ],
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
      extra_headers: null,
      functions: null,
      function_call: null,
    },
  },
  {
    client: 'aider, commit message',
    base: '/beta-4-scout',
    path: chat,
    body: { model, messages: [system, { role: 'user', content: question }], temperature: 0, stream: false },
  },
];

const openWebUiRequests: readonly RecordedRequest[] = [
  {
    client: 'Open WebUI, or a program written for it',
    base: '/api',
    path: `${chat}/`,
    body: {
      stream: true,
      model,
      messages: [{ role: 'user', content: question }],
      params: {},
      files: null,
      tool_ids: [],
      filter_ids: null,
      tool_servers: [],
      features: { web_search: false, image_generation: false, code_interpreter: false, memory: false },
      variables: { '{{USER_NAME}}': 'Ada', '{{CURRENT_DATE}}': '2026-11-15' },
      model_item: { id: model, object: 'model', owned_by: 'openai', name: model },
      chat_id: 'b2a7',
      id: '77c1',
      parent_id: null,
      folder_id: null,
      background_tasks: { title_generation: true, tags_generation: true, follow_up_generation: true },
      metadata: { chat_id: 'b2a7', features: {} },
      temperature: 0,
      stream_options: { include_usage: true },
    },
  },
  {
    client: 'Open WebUI, a title',
    base: '/beta-4-scout/v1',
    path: chat,
    body: {
      model,
      messages: [{ role: 'user', content: question }],
      stream: false,
      max_completion_tokens: 1000,
      temperature: 0,
      metadata: { task: 'title_generation', task_body: {}, chat_id: null },
    },
  },
];

/** A program that fills in every parameter it knows, most of them with nothing. */
const nullRequests: readonly RecordedRequest[] = [
  {
    client: 'a program that sends a null for everything',
    base: '/api',
    path: chat,
    body: {
      model,
      messages: [
        { role: 'user', content: 'Hello', name: null },
        {
          role: 'assistant',
          content: 'Hello.',
          tool_calls: null,
          function_call: null,
          refusal: null,
          audio: null,
          annotations: [],
          reasoning_content: null,
        },
        { role: 'user', content: question },
      ],
      temperature: 0,
      ...Object.fromEntries(
        [
          'top_p n stop seed max_tokens max_completion_tokens tools tool_choice parallel_tool_calls functions',
          'function_call response_format frequency_penalty presence_penalty logit_bias logprobs top_logprobs',
          'stream stream_options reasoning_effort user store metadata service_tier modalities audio prediction',
          'verbosity web_search_options safety_identifier prompt_cache_key',
        ].flatMap((names) => names.split(' ').map((name) => [name, null])),
      ),
    },
  },
];

export const recordedRequests: readonly RecordedRequest[] = [
  ...continueRequests,
  ...clineRequests,
  ...aiderRequests,
  ...openWebUiRequests,
  ...nullRequests,
];
