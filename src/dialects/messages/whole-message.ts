import { isObject, type JsonObject } from '#dialects/json-object';
import {
  beginSignature,
  endSignature,
  inputOf,
  messageEnding,
  messageUsage,
  thoughtIn,
} from './answer-parts.ts';
import type { AskedMessage } from './chat-request.ts';

/** A whole chat completion as a message; undefined when it is none. */
export function wholeMessage(
  answer: JsonObject,
  id: string,
  asked: Pick<AskedMessage, 'thoughts' | 'stopSequences'>,
): JsonObject | undefined {
  const choices = Array.isArray(answer['choices']) ? (answer['choices'] as unknown[]) : [];
  const choice = choices[0];
  if (!isObject(choice) || !isObject(choice['message'])) return undefined;
  const spoken = choice['message'];
  const calls = Array.isArray(spoken['tool_calls']) ? spoken['tool_calls'].filter(isObject) : [];
  return {
    id,
    type: 'message',
    role: 'assistant',
    model: answer['model'],
    content: [...thinkingBlock(thoughtIn(spoken), asked), ...textBlock(spoken), ...calls.map(callBlock)],
    ...messageEnding(choice, calls.length > 0, asked.stopSequences),
    usage: messageUsage(answer['usage']),
  };
}

function thinkingBlock(thoughts: string, asked: Pick<AskedMessage, 'thoughts'>): JsonObject[] {
  if (thoughts === '' || asked.thoughts === 'withheld') return [];
  const told = asked.thoughts === 'told' ? thoughts : '';
  return [{ type: 'thinking', thinking: told, signature: endSignature(beginSignature().update(thoughts)) }];
}

function textBlock(spoken: JsonObject): JsonObject[] {
  const said = [spoken['content'], spoken['refusal']].filter((text) => typeof text === 'string').join('');
  return said === '' ? [] : [{ type: 'text', text: said, citations: null }];
}

function callBlock(call: JsonObject): JsonObject {
  const called = isObject(call['function']) ? call['function'] : {};
  return {
    type: 'tool_use',
    id: call['id'],
    name: called['name'],
    input: inputOf(typeof called['arguments'] === 'string' ? called['arguments'] : ''),
  };
}
