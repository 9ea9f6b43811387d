import { isObject, type JsonObject } from '../json-object.ts';
import { readArray, readString, wrong } from '../wire/read-field.ts';

/** A message as chat templates expect it: plain text, parsed arguments, thoughts apart. */
export interface TemplateMessage {
  readonly role: string;
  readonly content: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly TemplateToolCall[];
  readonly tool_call_id?: string;
  readonly name?: string;
}

interface TemplateToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: unknown };
}

const roles = new Set(['system', 'user', 'assistant', 'tool']);

export function readMessages(body: JsonObject): readonly TemplateMessage[] {
  const messages = readArray(body, 'messages') ?? [];
  if (messages.length === 0) throw wrong('messages', 'Send at least one message in "messages".');
  return messages.map((message, index) => readMessage(message, `messages[${index}]`));
}

function readMessage(message: unknown, param: string): TemplateMessage {
  if (!isObject(message)) throw wrong(param, `${param} must be an object with "role" and "content".`);
  const given = message['role'] === 'developer' ? 'system' : message['role'];
  const role = given === 'function' ? 'tool' : given;
  if (typeof role !== 'string' || !roles.has(role)) {
    throw wrong(`${param}.role`, `${param}.role must be system, developer, user, assistant or tool.`);
  }
  const content = readContent(message['content'] ?? (role === 'assistant' ? '' : null), `${param}.content`);
  const name = readString(message, 'name');
  const callId = readString(message, 'tool_call_id');
  return {
    role,
    ...(role === 'assistant' ? separateThought(message, content) : { content }),
    ...(role === 'assistant' && readToolCalls(message, param)),
    ...(callId !== undefined && { tool_call_id: callId }),
    ...(name !== undefined && { name }),
  };
}

function readContent(content: unknown, param: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw wrong(param, `${param} must be a string or an array of parts.`);
  return content
    .map((part: unknown) => {
      if (typeof part === 'string') return part;
      if (isObject(part) && part['type'] === 'refusal' && typeof part['refusal'] === 'string') {
        return part['refusal'];
      }
      if (isObject(part) && typeof part['text'] === 'string') return part['text'];
      const kind = isObject(part) && typeof part['type'] === 'string' ? `"${part['type']}"` : 'unknown';
      throw wrong(
        param,
        `${param} holds a part of kind ${kind}; this model reads only parts of type "text".`,
      );
    })
    .join('');
}

/** Clients send thoughts back in either form; templates decide which of them to show the model again. */
function separateThought(
  message: JsonObject,
  content: string,
): { readonly content: string; readonly reasoning_content?: string } {
  const thought = readString(message, 'reasoning_content') ?? readString(message, 'reasoning');
  const inline = inlineThought.exec(content);
  const rest = inline === null ? content : content.slice(inline[0].length);
  const text = thought ?? inline?.[1];
  return text === undefined || text.trim() === ''
    ? { content: rest }
    : { content: rest, reasoning_content: text.trim() };
}

const inlineThought = /^\s*<think>([\s\S]*?)<\/think>\s*/;

export function withoutThought(content: string): string {
  return content.replace(inlineThought, '');
}

function readToolCalls(message: JsonObject, param: string): { tool_calls?: readonly TemplateToolCall[] } {
  const calls = readArray(message, 'tool_calls') ?? [];
  if (calls.length === 0) return {};
  return {
    tool_calls: calls.map((call, index) => {
      const where = `${param}.tool_calls[${index}]`;
      const target = isObject(call) ? call['function'] : undefined;
      if (!isObject(call) || !isObject(target) || typeof target['name'] !== 'string') {
        throw wrong(where, `${where} must have a "function" with "name" and "arguments".`);
      }
      return {
        id: typeof call['id'] === 'string' ? call['id'] : '',
        type: 'function',
        function: { name: target['name'], arguments: parseArguments(target['arguments'], where) },
      };
    }),
  };
}

function parseArguments(value: unknown, param: string): unknown {
  if (value === undefined || value === null || value === '') return {};
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw wrong(`${param}.function.arguments`, `${param}.function.arguments must be a JSON text.`);
  }
}
