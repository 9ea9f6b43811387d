import { type Envelope, type EnvelopeField, readString, readValue } from '#dialects/envelope';
import type { ModelDefinition } from '#vocabulary/catalogue';
import type { InferenceEndpoint } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import { checkEntries, checkFieldSize } from './known-fields.ts';
import { refuseForeignMedia } from './media-rule.ts';

export interface ParameterLimits {
  readonly maxOutputTokens: number;
  readonly maxChoices: number;
  readonly maxLogprobs: number;
  readonly maxStopStrings: number;
  readonly maxTools: number;
  readonly maxPrompts: number;
}

/**
 * What the service refuses before an engine sees it: numbers out of range, things the model cannot do, and fields
 * that would let a caller reach into the engine. Fields nobody knows pass untouched while they are small.
 */
export function checkParameters(
  envelope: Envelope,
  endpoint: InferenceEndpoint,
  model: ModelDefinition,
  limits: ParameterLimits,
): void {
  for (const [name, field] of envelope.fields) {
    if (field.kind === 'null') continue;
    if (isForbidden(name)) throw forbidden(name);
    checkFieldSize(name, field, isForbidden);
    checkEntries(envelope, name, field, limits.maxPrompts);
    const range = rangeOf(name, limits);
    if (range !== undefined) checkNumber(envelope, name, field, range);
  }
  requireQuestion(envelope, endpoint);
  checkStop(envelope, limits);
  checkLogitBias(envelope);
  checkTemplateArguments(envelope);
  checkTools(envelope, model, limits);
  if (endpoint === 'chat/completions') checkToolChoice(envelope);
  checkEffort(envelope, endpoint, model);
  if (!holdsObjects.has(endpoint)) refuseForeignMedia(envelope);
}

/**
 * Here the arguments of calls are objects whose fields may have any name, so names tell nothing. The translation looks
 * at every block instead.
 */
const holdsObjects: ReadonlySet<InferenceEndpoint> = new Set<InferenceEndpoint>([
  'messages',
  'messages/count_tokens',
]);

/** Fields that would choose an upstream, load code or weights, or speak past the gateway's books. */
const forbiddenFields: ReadonlySet<string> = new Set([
  'cache_salt',
  'chat_template',
  'custom_labels',
  'custom_logit_processor',
  'custom_params',
  'data_parallel_rank',
  'ec_transfer_params',
  'expected_text',
  'extra_key',
  'id_slot',
  'input_embeds',
  'kv_transfer_params',
  'lora',
  'lora_path',
  'media_io_kwargs',
  'mcp_servers',
  'mm_processor_kwargs',
  'priority',
  'prompt_embeds',
  'request_id',
  'return_hidden_states',
  'rid',
  'routed_dp_rank',
  'session_id',
  'session_params',
  'vllm_xargs',
]);

function isForbidden(name: string): boolean {
  return forbiddenFields.has(name) || name.startsWith('bootstrap_');
}

const templateArguments: ReadonlySet<string> = new Set(['enable_thinking', 'thinking', 'thinking_budget']);
const maxToolsBytes = 256 * 1024;
const maxStopLength = 1024;
const maxBiasedTokens = 1024;

interface Range {
  readonly from: number;
  readonly to: number;
  readonly isInteger: boolean;
}

/** `logprobs` is a boolean on chat and a number on completions: the number is what needs a ceiling. */
function rangeOf(name: string, limits: ParameterLimits): Range | undefined {
  switch (name) {
    case 'temperature':
      return { from: 0, to: 2, isInteger: false };
    case 'top_p':
    case 'min_p':
      return { from: 0, to: 1, isInteger: false };
    case 'frequency_penalty':
    case 'presence_penalty':
      return { from: -2, to: 2, isInteger: false };
    case 'repetition_penalty':
      return { from: 0.01, to: 2, isInteger: false };
    case 'n':
    case 'best_of':
      return { from: 1, to: limits.maxChoices, isInteger: true };
    case 'max_tokens':
    case 'max_completion_tokens':
    case 'max_output_tokens':
    case 'max_new_tokens':
    case 'min_new_tokens':
    case 'min_tokens':
    case 'thinking_token_budget':
      return { from: 0, to: limits.maxOutputTokens, isInteger: true };
    case 'logprobs':
    case 'top_logprobs':
    case 'prompt_logprobs':
    case 'n_probs':
      return { from: 0, to: limits.maxLogprobs, isInteger: true };
    case 'n_predict':
      // llama.cpp reads -1 as without end.
      return { from: 0, to: limits.maxOutputTokens, isInteger: true };
    case 'top_k':
      return { from: -1, to: 1_000_000, isInteger: true };
    case 'seed':
      return { from: -(2 ** 63), to: 2 ** 63, isInteger: true };
    default:
      return undefined;
  }
}

function checkNumber(envelope: Envelope, name: string, field: EnvelopeField, range: Range): void {
  if (name === 'logprobs' && field.kind === 'boolean') return;
  const value =
    field.kind === 'number'
      ? Number(envelope.body.toString('latin1', field.valueStart, field.valueEnd))
      : Number.NaN;
  const isValid = value >= range.from && value <= range.to && (!range.isInteger || Number.isInteger(value));
  if (isValid) return;
  const what = range.isInteger ? 'a whole number' : 'a number';
  throw invalid(name, `"${name}" must be ${what} from ${range.from} to ${range.to}.`);
}

function requireQuestion(envelope: Envelope, endpoint: InferenceEndpoint): void {
  if (endpoint === 'chat/completions') {
    const field = envelope.fields.get('messages');
    if (field?.kind === 'array' && !isEmptyArray(envelope, field)) return;
    throw invalid(
      'messages',
      '"messages" is required: a list with at least one message, such as {"role": "user", "content": "Hello"}.',
    );
  }
  if (endpoint === 'completions') {
    const kind = envelope.fields.get('prompt')?.kind;
    if (kind === 'string' || kind === 'array') return;
    throw invalid('prompt', '"prompt" is required: the text to continue.');
  }
}

function checkStop(envelope: Envelope, limits: ParameterLimits): void {
  const field = envelope.fields.get('stop');
  if (field === undefined || field.kind === 'null') return;
  const isShort = field.valueEnd - field.valueStart <= limits.maxStopStrings * (maxStopLength + 8);
  const value = isShort ? readValue(envelope, 'stop') : undefined;
  const list = typeof value === 'string' ? [value] : value;
  const isValid =
    Array.isArray(list) &&
    list.length <= limits.maxStopStrings &&
    list.every((stop) => typeof stop === 'string' && stop.length > 0 && stop.length <= maxStopLength);
  if (isValid) return;
  throw invalid(
    'stop',
    `"stop" must be a text or a list of at most ${limits.maxStopStrings} texts, none empty or longer than ${maxStopLength} characters.`,
  );
}

function checkLogitBias(envelope: Envelope): void {
  const field = envelope.fields.get('logit_bias');
  if (field === undefined || field.kind === 'null') return;
  const isShort = field.valueEnd - field.valueStart <= maxBiasedTokens * 40;
  const value = field.kind === 'object' && isShort ? readValue(envelope, 'logit_bias') : undefined;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    const isValid =
      entries.length <= maxBiasedTokens &&
      entries.every(
        ([token, bias]) => /^\d{1,9}$/.test(token) && typeof bias === 'number' && Math.abs(bias) <= 100,
      );
    if (isValid) return;
  }
  throw invalid(
    'logit_bias',
    `"logit_bias" must map at most ${maxBiasedTokens} token ids to numbers from -100 to 100.`,
  );
}

function checkTemplateArguments(envelope: Envelope): void {
  const field = envelope.fields.get('chat_template_kwargs');
  if (field === undefined || field.kind === 'null') return;
  const value =
    field.kind === 'object' && field.valueEnd - field.valueStart < 4096
      ? readValue(envelope, 'chat_template_kwargs')
      : undefined;
  if (typeof value !== 'object' || value === null)
    throw invalid('chat_template_kwargs', '"chat_template_kwargs" must be a small object.');
  for (const [name, setting] of Object.entries(value)) {
    const isKnown =
      templateArguments.has(name) && (typeof setting === 'boolean' || typeof setting === 'number');
    if (!isKnown) {
      const known = [...templateArguments].join(', ');
      throw invalid('chat_template_kwargs', `"chat_template_kwargs" may hold only these switches: ${known}.`);
    }
  }
}

function checkTools(envelope: Envelope, model: ModelDefinition, limits: ParameterLimits): void {
  const field = envelope.fields.get('tools');
  if (field === undefined || field.kind === 'null') return;
  if (field.kind !== 'array') throw invalid('tools', '"tools" must be a list.');
  if (isEmptyArray(envelope, field)) return;
  if (!model.supportsTools)
    throw invalid(
      'tools',
      `The model \`${model.id}\` does not support tool calling. Leave "tools" out, or choose a model that does.`,
    );
  if (field.valueEnd - field.valueStart > maxToolsBytes)
    throw invalid('tools', `"tools" may be at most ${maxToolsBytes} bytes long.`);
  const tools = readValue(envelope, 'tools');
  if (Array.isArray(tools) && tools.length > limits.maxTools)
    throw invalid('tools', `"tools" may hold at most ${limits.maxTools} tools.`);
}

/** Engines differ here: some refuse, some answer without a call, which nobody would notice who waits for one. */
function checkToolChoice(envelope: Envelope): void {
  const choice = envelope.fields.get('tool_choice');
  const tools = envelope.fields.get('tools');
  if (choice === undefined || (tools?.kind === 'array' && !isEmptyArray(envelope, tools))) return;
  if (choice.kind !== 'object' && readString(envelope, 'tool_choice') !== 'required') return;
  throw invalid(
    'tool_choice',
    '"tool_choice" asks for a call, and there are no "tools" that could be called.',
  );
}

function checkEffort(envelope: Envelope, endpoint: InferenceEndpoint, model: ModelDefinition): void {
  const field = envelope.fields.get('reasoning_effort');
  if (field === undefined || field.kind === 'null') return;
  if (endpoint !== 'chat/completions')
    throw invalid('reasoning_effort', '"reasoning_effort" belongs to chat/completions only.');
  if (!model.supportsReasoningEffort)
    throw invalid(
      'reasoning_effort',
      `The model \`${model.id}\` has no "reasoning_effort". Leave it out, or choose a model that has it.`,
    );
  const effort = field.kind === 'string' ? readValue(envelope, 'reasoning_effort') : undefined;
  if (effort === 'low' || effort === 'medium' || effort === 'high') return;
  throw invalid('reasoning_effort', '"reasoning_effort" must be "low", "medium" or "high".');
}

function isEmptyArray(envelope: Envelope, field: EnvelopeField): boolean {
  return (
    envelope.body
      .toString('latin1', field.valueStart + 1, Math.min(field.valueEnd - 1, field.valueStart + 65))
      .trim() === '' && field.valueEnd - field.valueStart <= 66
  );
}

function invalid(param: string, message: string): Refusal {
  return new Refusal('invalid_parameter', message, { param });
}

function forbidden(name: string): Refusal {
  return new Refusal(
    'unsupported_parameter',
    `"${name}" cannot be set by callers of this service. Leave it out.`,
    { param: name },
  );
}
