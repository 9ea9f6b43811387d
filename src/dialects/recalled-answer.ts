import { isObject, type JsonObject } from './json-object.ts';
import { frameData } from './sse.ts';
import type { RecalledAnswer, Translation } from './translation.ts';

/**
 * What a caller has got of an answer in another dialect, as the pieces of the chat that it was made of. Undefined when
 * it cannot be told from the frames.
 */
export function recallAnswer(
  translation: Translation,
  frames: readonly Buffer[],
): RecalledAnswer | undefined {
  const events = frames.map((frame) => JSON.parse(frameData(frame) ?? '{}') as unknown);
  if (events.length === 0 || !events.every(isObject)) return undefined;
  return translation.recall?.(events);
}

/** A piece of a chat completion's stream with these words. */
export function chatPiece(delta: JsonObject): JsonObject {
  return { object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] };
}
