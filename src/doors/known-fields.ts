import type { Envelope, EnvelopeField } from '#dialects/envelope';
import { Refusal } from '#vocabulary/refusal';

/**
 * The fields that callers may send, with the most bytes each may have; what engines do with a field costs in
 * proportion. Numbers have ranges of their own. A field that is not here passes only when it is too small to do harm.
 */
const kib = 1024;
const small = 4 * kib;

const mostBytes: ReadonlyMap<string, number> = new Map([
  // The question itself: the limit of the whole body holds.
  ...named(Infinity, ['messages', 'prompt', 'input', 'instructions', 'system', 'suffix', 'query', 'queries']),
  ...named(Infinity, ['documents', 'items', 'data_1', 'data_2', 'text_1', 'text_2', 'tokens', 'text']),
  // Schemas and grammars are compiled.
  ...named(256 * kib, ['tools', 'functions', 'response_format', 'guided_json', 'structured_outputs']),
  ...named(256 * kib, ['json_schema', 'output_config', 'output_format']),
  ...named(32 * kib, ['grammar', 'guided_grammar', 'guided_regex', 'guided_choice', 'regex', 'ebnf']),
  ...named(64 * kib, ['logit_bias', 'stop', 'stop_sequences', 'stop_token_ids', 'bad_words']),
  ...named(64 * kib, ['allowed_token_ids', 'dry_sequence_breakers', 'samplers', 'metadata']),
  ...named(small, ['model', 'user', 'stream', 'stream_options', 'service_tier', 'seed', 'n', 'best_of']),
  ...named(small, ['temperature', 'top_p', 'top_k', 'min_p', 'typical_p', 'frequency_penalty']),
  ...named(small, ['presence_penalty', 'repetition_penalty', 'length_penalty', 'logprobs', 'top_logprobs']),
  ...named(small, ['prompt_logprobs', 'n_probs', 'max_tokens', 'max_completion_tokens', 'max_output_tokens']),
  ...named(small, ['max_new_tokens', 'n_predict', 'min_tokens', 'min_new_tokens', 'thinking_token_budget']),
  ...named(small, [
    'thinking',
    'reasoning',
    'reasoning_effort',
    'separate_reasoning',
    'chat_template_kwargs',
  ]),
  ...named(small, ['tool_choice', 'function_call', 'parallel_tool_calls', 'echo', 'store', 'background']),
  ...named(small, ['continue_final_message', 'add_generation_prompt', 'ignore_eos', 'encoding_format']),
  ...named(small, ['dimensions', 'truncate_prompt_tokens', 'truncation', 'previous_response_id', 'include']),
]);

function named(bytes: number, names: readonly string[]): (readonly [string, number])[] {
  return names.map((name) => [name, bytes] as const);
}

const mostUnknownBytes = 8 * kib;

export function checkFieldSize(
  name: string,
  field: EnvelopeField,
  isForbidden: (name: string) => boolean,
): void {
  const plain = name.toLowerCase();
  // Engines differ in whether they read `Model` as `model`; so it is neither.
  if (plain !== name && (mostBytes.has(plain) || isForbidden(plain))) {
    throw new Refusal(
      'unsupported_parameter',
      `"${name.slice(0, 64)}" is not a parameter. Did you mean "${plain}"?`,
      {
        param: name.slice(0, 64),
      },
    );
  }
  const bytes = field.valueEnd - field.valueStart;
  const most = mostBytes.get(name) ?? mostUnknownBytes;
  if (bytes <= most) return;
  const shown = name.slice(0, 64);
  const message = mostBytes.has(name)
    ? `"${shown}" may be at most ${most} bytes long.`
    : `This service does not know "${shown}", and passes unknown parameters on only up to ${most} bytes.`;
  throw new Refusal('invalid_parameter', message, { param: shown });
}

/** How many entries lists may have: each is work of its own for the engine. */
const mostEntries: ReadonlyMap<string, number> = new Map([
  ['input', 2048],
  ['documents', 1000],
  ['queries', 1000],
  ['items', 1000],
  ['data_1', 1000],
  ['data_2', 1000],
  ['text_1', 1000],
  ['text_2', 1000],
]);

/** A list of a million entries is refused, not read. */
export function checkEntries(
  envelope: Envelope,
  name: string,
  field: EnvelopeField,
  maxPrompts: number,
): void {
  const most = name === 'prompt' ? maxPrompts : mostEntries.get(name);
  if (most === undefined || field.kind !== 'array') return;
  // A list of token ids is one prompt.
  if (field.entries <= most || isListOfNumbers(envelope, field)) return;
  throw new Refusal('invalid_parameter', `"${name}" may hold at most ${most} entries.`, { param: name });
}

function isListOfNumbers({ body }: Envelope, { valueStart }: EnvelopeField): boolean {
  return /^\[\s*-?\d/.test(body.toString('latin1', valueStart, valueStart + 32));
}
