import { isObject, type JsonObject } from '#dialects/json-object';
import type { ModelDefinition } from '#vocabulary/catalogue';
import { readInput } from './input-items.ts';
import { type CalledTool, readToolChoice, readTools } from './tools.ts';
import { fitMessages } from './truncation.ts';
import { shown, unsupported, wrong } from './wrong.ts';

export interface ReadQuestion {
  readonly chat: JsonObject;
  readonly ignored: readonly string[];
  readonly renamedTools: ReadonlyMap<string, CalledTool>;
}

/** A Responses request as a chat completion. Every field is passed, translated, refused, or ignored and named. */
export function readQuestion(body: JsonObject, model: ModelDefinition): ReadQuestion {
  const ignored: string[] = [];
  const chat: JsonObject = {};
  for (const [name, value] of Object.entries(body)) {
    if (value === null || handled.has(name)) continue;
    const refusal = value === false ? undefined : refused.get(name);
    if (refusal !== undefined) throw unsupported(name, refusal);
    if (passed.has(name)) chat[name] = value;
    else if (!isDefault(name, value) && /^[\w.-]{1,64}$/.test(name) && ignored.length < mostNamed)
      ignored.push(name);
  }
  const tools = readTools(body.tools, ignored);
  const choice = readToolChoice(body.tool_choice, tools.chat);
  const messages = readInput(body.instructions, body.input);
  return {
    chat: {
      messages: mayTruncate(body.truncation, model, ignored)
        ? fitMessages(
            messages,
            model.contextTokens,
            answerRoom(body, model.contextTokens),
            sizeOf(tools.chat),
          )
        : messages,
      ...chat,
      ...(choice.tools.length === 0 ? {} : { tools: choice.tools }),
      ...(choice.choice === undefined || choice.tools.length === 0 ? {} : { tool_choice: choice.choice }),
      ...(isPresent(body.max_output_tokens) ? { max_tokens: body.max_output_tokens } : {}),
      ...readReasoning(body, model, ignored),
      ...readText(body.text, ignored),
      ...readLogprobs(body, ignored),
    },
    ignored,
    renamedTools: tools.renamed,
  };
}

/** Those which chat completions have too, and those of engines which their callers know. */
const passed = new Set(
  `temperature top_p user parallel_tool_calls service_tier
   top_k min_p seed stop frequency_penalty presence_penalty repetition_penalty
   min_tokens ignore_eos logit_bias chat_template_kwargs`.split(/\s+/),
);

/** Translated, repeated in the answer, or about the conversation with the service itself. */
const handled = new Set(
  `model stream input instructions tools tool_choice max_output_tokens reasoning
   text top_logprobs include metadata truncation store background previous_response_id`.split(/\s+/),
);

const refused: ReadonlyMap<string, string> = new Map([
  ['prompt', '"prompt" names a template kept at OpenAI. Send the text itself in "input" and "instructions".'],
  [
    'conversation',
    'This service keeps no conversations. Use "previous_response_id", or send the earlier turns in "input".',
  ],
]);

const mostNamed = 32;

/** Said and meant as what happens anyway. */
function isDefault(name: string, value: unknown): boolean {
  return value === false || (name === 'stream_options' && isObject(value));
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Models that have no degrees of thinking think as they always do; only whether they do can be chosen. */
function readReasoning(body: JsonObject, model: ModelDefinition, ignored: string[]): JsonObject {
  const { reasoning } = body;
  if (!isPresent(reasoning)) return {};
  if (!isObject(reasoning)) throw wrong('reasoning', '"reasoning" must be an object.');
  for (const name of ['summary', 'generate_summary', 'encrypted_content'])
    if (isPresent(reasoning[name])) ignored.push(`reasoning.${name}`);
  const { effort } = reasoning;
  if (!isPresent(effort)) return {};
  const degree = typeof effort === 'string' ? degrees.get(effort) : undefined;
  if (degree === undefined)
    throw wrong('reasoning.effort', `"reasoning.effort" must be one of ${[...degrees.keys()].join(', ')}.`);
  if (model.supportsReasoningEffort) return { reasoning_effort: degree };
  if (effort === 'none' && model.reasoning !== 'none')
    return { chat_template_kwargs: { enable_thinking: false, ...asKwargs(body.chat_template_kwargs) } };
  ignored.push('reasoning.effort');
  return {};
}

/** Models know three. */
const degrees: ReadonlyMap<string, string> = new Map([
  ['none', 'low'],
  ['minimal', 'low'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'high'],
  ['max', 'high'],
]);

function asKwargs(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function mayTruncate(
  truncation: unknown,
  model: ModelDefinition,
  ignored: string[],
): model is ModelDefinition & { contextTokens: number } {
  if (!isPresent(truncation) || truncation === 'disabled') return false;
  if (truncation !== 'auto') throw wrong('truncation', '"truncation" must be auto or disabled.');
  if (model.contextTokens === undefined) ignored.push('truncation');
  return model.contextTokens !== undefined;
}

/** What the answer may take of the context; a quarter of it where nobody says. */
function answerRoom({ max_output_tokens: asked }: JsonObject, contextTokens: number): number {
  return Math.min(typeof asked === 'number' ? asked : contextTokens / 4, contextTokens / 2);
}

function sizeOf(tools: readonly object[]): number {
  return Buffer.byteLength(JSON.stringify(tools));
}

function readText(text: unknown, ignored: string[]): JsonObject {
  if (!isPresent(text)) return {};
  if (!isObject(text)) throw wrong('text', '"text" must be an object.');
  if (isPresent(text.verbosity)) ignored.push('text.verbosity');
  const { format } = text;
  if (!isPresent(format)) return {};
  if (!isObject(format)) throw wrong('text.format', '"text.format" must be an object.');
  const { type, ...schema } = format;
  switch (type) {
    case 'text':
      return {};
    case 'json_object':
      return { response_format: { type } };
    case 'json_schema':
      if (!isObject(schema.schema))
        throw wrong('text.format', '"text.format" of type json_schema needs a "schema".');
      return { response_format: { type, json_schema: { name: 'answer', ...schema } } };
    default:
      throw wrong('text.format', `"text.format" cannot be of type ${shown(type)}.`);
  }
}

function readLogprobs(body: JsonObject, ignored: string[]): JsonObject {
  const include = body.include ?? [];
  if (!Array.isArray(include)) throw wrong('include', '"include" must be a list.');
  let wantsLogprobs = typeof body.top_logprobs === 'number' && body.top_logprobs > 0;
  for (const what of new Set<unknown>(include.slice(0, mostNamed))) {
    if (what === 'message.output_text.logprobs') wantsLogprobs = true;
    else if (typeof what === 'string' && /^[\w.-]{1,64}$/.test(what)) ignored.push(`include.${what}`);
    else throw wrong('include', '"include" must be a list of names.');
  }
  return wantsLogprobs ? { logprobs: true, top_logprobs: body.top_logprobs ?? 0 } : {};
}
