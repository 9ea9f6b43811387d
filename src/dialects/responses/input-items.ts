import { isObject, type JsonObject } from '#dialects/json-object';
import { readContent } from './content-parts.ts';
import { chatToolName } from './tools.ts';
import { shown, unsupported, wrong } from './wrong.ts';

/** The messages of a chat, from instructions and the items of the conversation so far. */
export function readInput(instructions: unknown, input: unknown): readonly JsonObject[] {
  const chat = new ChatBuilder();
  if (typeof instructions === 'string') chat.add({ role: 'system', content: instructions });
  else if (Array.isArray(instructions)) readItems(chat, instructions, 'instructions');
  else if (instructions !== undefined && instructions !== null)
    throw wrong('instructions', '"instructions" must be a text.');
  if (typeof input === 'string') chat.add({ role: 'user', content: input });
  else if (Array.isArray(input) && input.length > 0) readItems(chat, input, 'input');
  else throw nothingAsked();
  const messages = chat.messages();
  if (messages.length === 0) throw nothingAsked();
  return messages;
}

function nothingAsked(): Error {
  return wrong('input', '"input" is required: a text, or a list of messages and other items.');
}

function readItems(chat: ChatBuilder, items: readonly unknown[], param: string): void {
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) throw wrong(param, `"${param}[${index}]" must be an object.`);
    readItem(chat, item, `${param}[${index}]`);
  }
}

function readItem(chat: ChatBuilder, item: JsonObject, at: string): void {
  switch (item.type ?? 'message') {
    case 'message':
      return readMessage(chat, item, at);
    case 'function_call':
      return chat.addCall(textAt(item, 'call_id', at), calledName(item, at), textAt(item, 'arguments', at));
    case 'custom_tool_call': {
      const call = JSON.stringify({ input: textAt(item, 'input', at) });
      return chat.addCall(textAt(item, 'call_id', at), calledName(item, at), call);
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const content = readContent(item.output, `${at}.output`);
      return chat.add({ role: 'tool', tool_call_id: textAt(item, 'call_id', at), content });
    }
    case 'reasoning':
      return chat.addThought(thoughtOf(item));
    case 'item_reference':
      throw unsupported(at, `"${at}" is an item_reference to what is kept elsewhere. Send the item itself.`);
    default:
      throw unsupported(at, `"${at}" is of the type ${shown(item.type)}, which no model here understands.`);
  }
}

function readMessage(chat: ChatBuilder, item: JsonObject, at: string): void {
  const content = readContent(item.content, `${at}.content`);
  switch (item.role) {
    case 'user':
      return chat.add({ role: 'user', content });
    case 'system':
    case 'developer':
      return chat.add({ role: 'system', content });
    case 'assistant':
      return chat.addSpeech(content);
    default:
      throw wrong(at, `"${at}.role" must be user, assistant, system or developer, not ${shown(item.role)}.`);
  }
}

/** Its own words where they are, else what was told of them. What is encrypted was not encrypted here. */
function thoughtOf(item: JsonObject): string {
  for (const parts of [item.content, item.summary]) {
    const texts = Array.isArray(parts)
      ? parts.flatMap((part: unknown) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []))
      : [];
    if (texts.length > 0) return texts.join('\n\n');
  }
  return '';
}

function calledName(item: JsonObject, at: string): string {
  return chatToolName(textAt(item, 'name', at), item.namespace);
}

function textAt(item: JsonObject, name: string, at: string): string {
  const text = item[name];
  if (typeof text === 'string') return text;
  throw wrong(at, `"${at}.${name}" must be a text.`);
}

interface Turn {
  thought: string;
  content: unknown;
  readonly calls: JsonObject[];
}

/** What an assistant thought, said and called are several items here and one message in a chat. */
class ChatBuilder {
  readonly #messages: JsonObject[] = [];
  #turn: Turn | undefined;

  add(message: JsonObject): void {
    this.#endTurn();
    const last = this.#messages.at(-1);
    // Many templates know one system message, and only at the beginning.
    if (message.role === 'system' && this.#messages.length === 1 && isJoinable(last, message))
      last.content = `${last.content}\n\n${String(message.content)}`;
    else this.#messages.push(message);
  }

  addSpeech(content: unknown): void {
    if (this.#turn?.content !== undefined && this.#turn.calls.length === 0) this.#endTurn();
    const turn = this.#currentTurn();
    turn.content =
      typeof turn.content === 'string' && typeof content === 'string'
        ? `${turn.content}\n\n${content}`
        : content;
  }

  addThought(thought: string): void {
    const turn = this.#currentTurn();
    turn.thought += thought === '' || turn.thought === '' ? thought : `\n\n${thought}`;
  }

  addCall(id: string, name: string, given: string): void {
    this.#currentTurn().calls.push({ id, type: 'function', function: { name, arguments: given } });
  }

  messages(): readonly JsonObject[] {
    this.#endTurn();
    return this.#messages;
  }

  #currentTurn(): Turn {
    this.#turn ??= { thought: '', content: undefined, calls: [] };
    return this.#turn;
  }

  /** Engines differ in which of the two fields they read. */
  #endTurn(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn === undefined || (turn.content === undefined && turn.calls.length === 0)) return;
    this.#messages.push({
      role: 'assistant',
      content: turn.content ?? null,
      ...(turn.thought === '' ? {} : { reasoning: turn.thought, reasoning_content: turn.thought }),
      ...(turn.calls.length === 0 ? {} : { tool_calls: turn.calls }),
    });
  }
}

function isJoinable(
  last: JsonObject | undefined,
  next: JsonObject,
): last is JsonObject & { content: string } {
  return last?.role === 'system' && typeof last.content === 'string' && typeof next.content === 'string';
}
