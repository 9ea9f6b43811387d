import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AnySchema, ValidateFunction } from 'ajv/dist/2020.js';

/** The shapes of OpenAI's API that client libraries rely on. Further fields are allowed: clients keep or ignore them. */
export type ShapeName =
  | 'chat'
  | 'chatChunk'
  | 'text'
  | 'textChunk'
  | 'modelList'
  | 'model'
  | 'error'
  | 'response';

/** One sentence per fault; none when the value has the shape. */
export function faultsOfShape(name: ShapeName, value: unknown): string[] {
  const validate = validators[name];
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${name}${instancePath} ${message} (${JSON.stringify(params)}) in ${JSON.stringify(value).slice(0, 600)}`,
  );
}

const string = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const text = { type: 'string', minLength: 1 };
const orNull = (schema: AnySchema) => ({ anyOf: [schema, { type: 'null' }] });
const listOf = (items: AnySchema, minItems = 0) => ({ type: 'array', items, minItems });

function shape(required: Record<string, AnySchema>, optional: Record<string, AnySchema> = {}): AnySchema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

/** Details may be absent; where they are given they are numbers, since clients add them up. */
const usage = shape(
  { prompt_tokens: count, completion_tokens: count, total_tokens: count },
  {
    prompt_tokens_details: orNull(shape({}, { cached_tokens: count, audio_tokens: count })),
    completion_tokens_details: orNull(shape({}, { reasoning_tokens: count, audio_tokens: count })),
  },
);

const finishReason = { enum: ['stop', 'length', 'tool_calls', 'content_filter'] };
const tokenLogprob = {
  token: string,
  logprob: { type: 'number' },
  bytes: orNull(listOf({ type: 'integer', minimum: 0, maximum: 255 })),
};
const chatLogprobs = shape({
  content: orNull(listOf(shape({ ...tokenLogprob, top_logprobs: listOf(shape(tokenLogprob)) }))),
});
const textLogprobs = shape({
  tokens: listOf(string),
  token_logprobs: listOf(orNull({ type: 'number' })),
  text_offset: listOf(count),
  top_logprobs: orNull(listOf(orNull({ type: 'object', additionalProperties: { type: 'number' } }))),
});

/** Both names with the same text; absent when there is no thinking. */
const reasoning = { reasoning: orNull(string), reasoning_content: orNull(string) };

const answerTop = (object: string, idPrefix: string) => ({
  id: { type: 'string', pattern: `^${idPrefix}-` },
  object: { const: object },
  created: { type: 'integer', minimum: 1_600_000_000 },
  model: text,
});
const systemFingerprint = { system_fingerprint: orNull(string) };

const toolCall = shape({
  id: text,
  type: { const: 'function' },
  function: shape({ name: text, arguments: { type: 'string' } }),
});
const toolCallDelta = shape(
  { index: count, function: shape({ arguments: string }, { name: text }) },
  { id: text, type: { const: 'function' } },
);

const choiceTop = { index: count, logprobs: orNull(chatLogprobs) };
const message = shape(
  { role: { const: 'assistant' }, content: orNull(string), refusal: { type: 'null' } },
  { ...reasoning, tool_calls: listOf(toolCall, 1) },
);
const delta = shape(
  {},
  {
    role: { const: 'assistant' },
    content: orNull(string),
    ...reasoning,
    tool_calls: listOf(toolCallDelta, 1),
  },
);
const textChoice = { index: count, text: string };
const model = shape(
  { id: text, object: { const: 'model' }, created: count, owned_by: text },
  { max_model_len: orNull({ type: 'integer', minimum: 1 }) },
);

const itemTop = (type: string) => ({
  type: { const: type },
  id: text,
  status: { enum: ['in_progress', 'completed', 'incomplete'] },
});
const outputItem = {
  oneOf: [
    shape({
      ...itemTop('message'),
      role: { const: 'assistant' },
      content: listOf(
        shape({
          type: { const: 'output_text' },
          text: string,
          annotations: listOf({}),
          logprobs: listOf({}),
        }),
      ),
    }),
    shape({
      ...itemTop('reasoning'),
      summary: listOf({}),
      content: listOf(shape({ type: { const: 'reasoning_text' }, text: string })),
    }),
    shape({ ...itemTop('function_call'), call_id: text, name: text, arguments: string }),
    shape({ ...itemTop('custom_tool_call'), call_id: text, name: text, input: string }),
  ],
};

const shapes: Record<ShapeName, AnySchema> = {
  chat: shape(
    {
      ...answerTop('chat.completion', 'chatcmpl'),
      choices: listOf(shape({ ...choiceTop, message, finish_reason: finishReason }), 1),
      usage,
    },
    systemFingerprint,
  ),
  chatChunk: shape(
    {
      ...answerTop('chat.completion.chunk', 'chatcmpl'),
      choices: listOf(
        shape(
          { index: count, delta, finish_reason: orNull(finishReason) },
          { logprobs: orNull(chatLogprobs) },
        ),
      ),
    },
    { ...systemFingerprint, usage: orNull(usage) },
  ),
  text: shape(
    {
      ...answerTop('text_completion', 'cmpl'),
      choices: listOf(
        shape({ ...textChoice, logprobs: orNull(textLogprobs), finish_reason: finishReason }),
        1,
      ),
      usage,
    },
    systemFingerprint,
  ),
  textChunk: shape(
    {
      ...answerTop('text_completion', 'cmpl'),
      choices: listOf(
        shape({ ...textChoice, finish_reason: orNull(finishReason) }, { logprobs: orNull(textLogprobs) }),
      ),
    },
    { ...systemFingerprint, usage: orNull(usage) },
  ),
  response: shape({
    id: { type: 'string', pattern: '^resp_' },
    object: { const: 'response' },
    created_at: { type: 'integer', minimum: 1_600_000_000 },
    status: { enum: ['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'] },
    model: text,
    output: listOf(outputItem),
    error: orNull(shape({ code: text, message: text })),
    incomplete_details: orNull(shape({ reason: { enum: ['max_output_tokens', 'content_filter'] } })),
    usage: orNull(
      shape({
        input_tokens: count,
        input_tokens_details: shape({ cached_tokens: count }),
        output_tokens: count,
        output_tokens_details: shape({ reasoning_tokens: count }),
        total_tokens: count,
      }),
    ),
    parallel_tool_calls: { type: 'boolean' },
    tools: listOf({ type: 'object' }),
    metadata: orNull({ type: 'object' }),
  }),
  modelList: shape({ object: { const: 'list' }, data: listOf(model, 1) }),
  model,
  error: shape({
    error: shape({ message: text, type: text, param: orNull(string), code: orNull(text) }),
  }),
};

const ajv = new Ajv2020({ allErrors: true });
const validators = Object.fromEntries(
  Object.entries(shapes).map(([name, schema]) => [name, ajv.compile(schema)]),
) as Record<ShapeName, ValidateFunction>;
