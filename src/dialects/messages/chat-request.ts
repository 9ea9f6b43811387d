import type { ModelDefinition } from '#vocabulary/catalogue';
import { isObject, type JsonObject } from '#dialects/json-object';
import { chatMessages } from './chat-messages.ts';
import { chatToolChoice, chatTools } from './chat-tools.ts';
import { fittingOutput, guessTokens } from './fitting-output.ts';
import { readThinking, type ThoughtDisplay } from './thinking.ts';
import { notOffered, requireObject, requireText, wrong } from './wrong-message.ts';

/** A Messages request as a chat completion, and what must be remembered to answer it. */
export interface AskedMessage {
  readonly chat: JsonObject;
  readonly thoughts: ThoughtDisplay;
  readonly stopSequences: readonly string[];
  /** What the prompt comes to, about, for as long as no engine has told it. */
  readonly guessedTokens: number;
  /** Parameters that have no meaning here. */
  readonly ignored: readonly string[];
}

/** What an engine reads before it answers; all there is to be counted. */
export function chatPrompt(body: JsonObject): JsonObject {
  refuseHosted(body);
  const messages = chatMessages(body['system'], body['messages']);
  const tools = chatTools(body['tools'], body['messages']);
  return { messages, ...(tools.length > 0 && { tools }) };
}

export function chatRequest(
  body: JsonObject,
  model: Pick<ModelDefinition, 'supportsReasoningEffort' | 'reasoning' | 'contextTokens'>,
): AskedMessage {
  if (typeof body['max_tokens'] !== 'number')
    throw wrong('max_tokens', '"max_tokens" is required: the most tokens the answer may have.');
  const prompt = chatPrompt(body);
  const thinking = readThinking(body, model);
  const stopSequences = readStopSequences(body['stop_sequences']);
  const chat: JsonObject = {
    ...prompt,
    ...chosen(body, passedOn),
    ...templateArguments(thinking.template, body['chat_template_kwargs']),
    ...(prompt['tools'] !== undefined && chatToolChoice(body['tool_choice'])),
    ...responseFormat(body),
    ...(stopSequences.length > 0 && { stop: stopSequences }),
    ...(thinking.effort !== undefined && { reasoning_effort: thinking.effort }),
    ...(isPrefill(prompt['messages']) && { continue_final_message: true, add_generation_prompt: false }),
    ...userOf(body['metadata']),
    ...(body['service_tier'] === 'flex' && { service_tier: 'flex' }),
  };
  return {
    chat: { ...chat, max_tokens: fittingOutput(body['max_tokens'], chat, model.contextTokens) },
    thoughts: thinking.display,
    stopSequences,
    guessedTokens: guessTokens(prompt),
    ignored: [...thinking.ignored, ...Object.keys(body).filter((name) => isIgnored(name, body[name]))],
  };
}

/** Chats know them by the same name and judge them by the same rules. */
const passedOn: readonly string[] = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'chat_template_kwargs',
];

const translated: ReadonlySet<string> = new Set([
  ...passedOn,
  'model',
  'messages',
  'system',
  'max_tokens',
  'metadata',
  'stop_sequences',
  'stream',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'service_tier',
  // Engines keep the beginnings of prompts by themselves.
  'cache_control',
]);

/** Told in a header, which takes plain words only. */
function isIgnored(name: string, value: unknown): boolean {
  return value !== null && !translated.has(name) && /^\w{1,64}$/.test(name);
}

function chosen(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (body[name] == null ? [] : [[name, body[name]]])));
}

/** What the caller says of the template counts more; what is no object is refused as in a chat. */
function templateArguments(template: JsonObject, given: unknown): JsonObject {
  if (Object.keys(template).length === 0 || (given != null && !isObject(given))) return {};
  return { chat_template_kwargs: { ...template, ...given } };
}

/** What would run on a vendor's own servers. */
function refuseHosted(body: JsonObject): void {
  for (const name of ['mcp_servers', 'container']) {
    const asked = body[name];
    if (asked === undefined || asked === null || (Array.isArray(asked) && asked.length === 0)) continue;
    throw notOffered(
      name,
      `"${name}" cannot be used here: this service runs no tools of its own. Leave it out.`,
    );
  }
}

function readStopSequences(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw wrong('stop_sequences', '"stop_sequences" must be a list of texts.');
  return value.map((text: unknown, index) => requireText(text, `stop_sequences[${index}]`));
}

/** The last word is the assistant's own: it is to be continued. */
function isPrefill(messages: unknown): boolean {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isObject(last) && last['role'] === 'assistant' && last['tool_calls'] === undefined;
}

function responseFormat(body: JsonObject): JsonObject {
  const config = body['output_config'];
  const asked = (isObject(config) ? config['format'] : undefined) ?? body['output_format'];
  if (asked === undefined || asked === null) return {};
  const format = requireObject(asked, 'output_config.format');
  if (format['type'] !== 'json_schema')
    throw wrong('output_config', '"output_config.format.type" must be "json_schema".');
  const schema = requireObject(format['schema'], 'output_config.format.schema');
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } } };
}

function userOf(metadata: unknown): JsonObject {
  const user = isObject(metadata) ? metadata['user_id'] : undefined;
  return typeof user === 'string' ? { user } : {};
}
