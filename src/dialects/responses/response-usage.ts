import { isObject, type JsonObject } from '#dialects/json-object';

/** What a chat completion tells of its tokens, in the words of this dialect. */
export function responseUsage(usage: JsonObject): JsonObject {
  const input = count(usage.prompt_tokens);
  const output = count(usage.completion_tokens);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: countIn(usage.prompt_tokens_details, 'cached_tokens') },
    output_tokens: output,
    output_tokens_details: {
      reasoning_tokens: countIn(usage.completion_tokens_details, 'reasoning_tokens'),
    },
    total_tokens: input + output,
  };
}

function countIn(details: unknown, name: string): number {
  return isObject(details) ? count(details[name]) : 0;
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
