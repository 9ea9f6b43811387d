import { createHash, type Hash } from 'node:crypto';
import { isObject, type JsonObject } from '#dialects/json-object';

/** The pieces that whole and streamed answers of the Messages dialect have in common. */

export function messageId(requestId: string): string {
  return `msg_${requestId.replaceAll('-', '')}`;
}

/** As chats tell it, in the names of this dialect: what came out of a cache is counted beside the rest. */
export function messageUsage(usage: unknown): JsonObject {
  const told = isObject(usage) ? usage : {};
  const promptDetails = isObject(told['prompt_tokens_details']) ? told['prompt_tokens_details'] : {};
  const outputDetails = isObject(told['completion_tokens_details']) ? told['completion_tokens_details'] : {};
  const prompt = count(told['prompt_tokens']);
  const cached = Math.min(prompt, count(promptDetails['cached_tokens']));
  return {
    input_tokens: prompt - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: count(told['completion_tokens']),
    output_tokens_details: { thinking_tokens: count(outputDetails['reasoning_tokens']) },
  };
}

export interface MessageEnding {
  readonly stop_reason: 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal';
  readonly stop_sequence: string | null;
}

export function messageEnding(
  choice: JsonObject,
  hasCalled: boolean,
  stopSequences: readonly string[],
): MessageEnding {
  // vLLM and the embedded engine say by what, SGLang says it in its own word.
  const stoppedBy = choice['stop_reason'] ?? choice['matched_stop'];
  switch (choice['finish_reason']) {
    case 'length':
      return { stop_reason: 'max_tokens', stop_sequence: null };
    case 'content_filter':
      return { stop_reason: 'refusal', stop_sequence: null };
    default:
      if (hasCalled) return { stop_reason: 'tool_use', stop_sequence: null };
      return typeof stoppedBy === 'string' && stopSequences.includes(stoppedBy)
        ? { stop_reason: 'stop_sequence', stop_sequence: stoppedBy }
        : { stop_reason: 'end_turn', stop_sequence: null };
  }
}

/** Clients keep only thoughts that are signed, and send them back. Nobody here checks it: a digest is enough. */
export function beginSignature(): Hash {
  return createHash('sha256');
}

export function endSignature(signature: Hash): string {
  return signature.digest('base64url');
}

export function thoughtIn(spoken: JsonObject): string {
  const thought = spoken['reasoning_content'] ?? spoken['reasoning'];
  return typeof thought === 'string' ? thought : '';
}

/** The arguments of a call; empty when the answer was cut within them. */
export function inputOf(text: string): JsonObject {
  try {
    const input: unknown = JSON.parse(text);
    return isObject(input) ? input : {};
  } catch {
    return {};
  }
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
