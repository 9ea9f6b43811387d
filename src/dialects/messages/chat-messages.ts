import { isObject, type JsonObject } from '#dialects/json-object';
import { readParts, type ChatPart, textOfBlocks } from './content-parts.ts';
import { notOffered, requireObject, requireText, shown, wrong } from './wrong-message.ts';

/** The conversation as chat completions have it: the system text first, results of tools as messages of their own. */
export function chatMessages(system: unknown, messages: unknown): JsonObject[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw wrong(
      'messages',
      '"messages" is required: a list with at least one message, such as {"role": "user", "content": "Hello"}.',
    );
  }
  const instructions = system === undefined || system === null ? '' : systemText(system);
  const lastOfUser = messages.findLastIndex(isOfUser);
  const conversation = messages.flatMap((message: unknown, index) => {
    const param = `messages[${index}]`;
    return spoken(requireObject(message, param), param, index < lastOfUser);
  });
  const joint = withoutNeighbours(conversation);
  return instructions === '' ? joint : [{ role: 'system', content: instructions }, ...joint];
}

/** What some clients tell their vendor's service in the first block changes often, and engines would read all anew. */
function systemText(system: unknown): string {
  const blocks = Array.isArray(system)
    ? system.filter((block) => !isObject(block) || !isForTheVendor(block['text']))
    : system;
  return textOfBlocks(blocks, 'system');
}

function isForTheVendor(text: unknown): boolean {
  return typeof text === 'string' && text.startsWith('x-anthropic-billing-header:');
}

function spoken(message: JsonObject, param: string, isBeforeUser: boolean): JsonObject[] {
  const { role, content } = message;
  switch (role) {
    case 'user':
      return typeof content === 'string' ? [{ role, content }] : ofUser(content, `${param}.content`);
    case 'assistant':
      return [typeof content === 'string' ? { role, content } : ofAssistant(content, `${param}.content`)];
    case 'system':
      return message['clear_at'] === 'next_user_message' && isBeforeUser
        ? []
        : ofSystem(content ?? '', `${param}.content`);
    default:
      throw wrong(`${param}.role`, `"${param}.role" must be "user", "assistant" or "system".`);
  }
}

function isOfUser(message: unknown): boolean {
  return isObject(message) && message['role'] === 'user';
}

/** Many templates know a system text at the beginning only. Which tools came or went is told by the tools themselves. */
function ofSystem(content: unknown, param: string): JsonObject[] {
  const blocks = Array.isArray(content) ? content.filter((block) => !isToolChange(block)) : content;
  const text = textOfBlocks(blocks, param);
  return text === '' ? [] : [{ role: 'user', content: `<system-reminder>\n${text}\n</system-reminder>` }];
}

function isToolChange(block: unknown): boolean {
  return isObject(block) && (block['type'] === 'tool_addition' || block['type'] === 'tool_removal');
}

/** In this dialect a user may speak twice in a row, which the templates of several models refuse. */
function withoutNeighbours(conversation: readonly JsonObject[]): JsonObject[] {
  const joint: JsonObject[] = [];
  let ofUser: JsonObject[] = [];
  for (const message of conversation) {
    if (message['role'] === 'user') ofUser.push(message);
    else {
      joint.push(...asOne(ofUser), message);
      ofUser = [];
    }
  }
  return [...joint, ...asOne(ofUser)];
}

function asOne(messages: readonly JsonObject[]): readonly JsonObject[] {
  return messages.length < 2 ? messages : [{ role: 'user', content: joined(messages.flatMap(partsOf)) }];
}

function partsOf({ content }: JsonObject): readonly ChatPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as readonly ChatPart[]);
}

/**
 * Results come right behind the calls they answer, whatever else the message holds. Chats have no pictures in the
 * results of tools: they are shown by the user instead.
 */
function ofUser(content: unknown, param: string): JsonObject[] {
  const results: JsonObject[] = [];
  const parts: ChatPart[] = [];
  for (const [block, at] of blocksOf(content, param)) {
    if (block['type'] !== 'tool_result') {
      parts.push(...readParts(block, at));
      continue;
    }
    const given = block['content'] ?? '';
    const inside =
      typeof given === 'string'
        ? [{ type: 'text', text: given } as const]
        : blocksOf(given, `${at}.content`).flatMap(([inner, where]) => readParts(inner, where));
    const text = inside.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    results.push({
      role: 'tool',
      tool_call_id: requireText(block['tool_use_id'], `${at}.tool_use_id`),
      // Chats cannot mark a result as failed; so the text says it.
      content: block['is_error'] === true ? `Error: ${text}` : text,
    });
    parts.push(...inside.filter((part) => part.type === 'image_url'));
  }
  return parts.length === 0 && results.length > 0
    ? results
    : [...results, { role: 'user', content: joined(parts) }];
}

function ofAssistant(content: unknown, param: string): JsonObject {
  let text = '';
  let thoughts = '';
  const calls: JsonObject[] = [];
  for (const [block, at] of blocksOf(content, param)) {
    switch (block['type']) {
      case 'text':
        text += requireText(block['text'], `${at}.text`);
        break;
      case 'thinking':
        thoughts += requireText(block['thinking'], `${at}.thinking`);
        break;
      case 'redacted_thinking':
        // Somebody else's secret: no engine here can read it.
        break;
      case 'tool_use':
        calls.push({
          id: requireText(block['id'], `${at}.id`),
          type: 'function',
          function: {
            name: requireText(block['name'], `${at}.name`),
            arguments: JSON.stringify(requireObject(block['input'] ?? {}, `${at}.input`)),
          },
        });
        break;
      default:
        throw notOffered(
          `${at}.type`,
          `"${at}" is a block of type ${shown(block['type'])}. What an assistant said may hold "text", "thinking", "redacted_thinking" and "tool_use".`,
        );
    }
  }
  return {
    role: 'assistant',
    content: text,
    ...(thoughts !== '' && { reasoning: thoughts, reasoning_content: thoughts }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Each block with its place in the request. */
function blocksOf(content: unknown, param: string): [JsonObject, string][] {
  if (!Array.isArray(content)) throw wrong(param, `"${param}" must be a text or a list of blocks.`);
  return content.map((block: unknown, index) => {
    const at = `${param}[${index}]`;
    if (!isObject(block))
      throw wrong(at, `"${at}" must be a block such as {"type": "text", "text": "Hello"}.`);
    return [block, at];
  });
}

/** Templates know plain text best. */
function joined(parts: readonly ChatPart[]): string | readonly ChatPart[] {
  if (parts.some((part) => part.type !== 'text')) return parts;
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
