import { isObject, type JsonObject } from '#dialects/json-object';
import { chatPiece } from '#dialects/recalled-answer';
import type { RecalledAnswer } from '#dialects/translation';

/** Thoughts that the caller was not told are not known any more. Calls cannot be gone on with. */
export function recallMessage(events: readonly JsonObject[]): RecalledAnswer | undefined {
  const message = events[0]?.message;
  if (!isObject(message) || typeof message.id !== 'string') return undefined;
  const chunks: JsonObject[] = [];
  for (const { content_block: block, delta } of events) {
    if (isObject(block) && block.type === 'tool_use') return undefined;
    if (!isObject(delta)) continue;
    if (delta.type === 'thinking_delta') chunks.push(chatPiece({ reasoning: delta.thinking }));
    else if (delta.type === 'text_delta') chunks.push(chatPiece({ content: delta.text }));
  }
  const requestId = message.id.slice('msg_'.length);
  // Between the other events come as many signs of life as there was time.
  return { requestId, receivedAt: undefined, chunks, frameCount: undefined };
}
