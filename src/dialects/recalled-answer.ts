import type { Refusal } from '#vocabulary/refusal';
import { isObject, type JsonObject } from './json-object.ts';
import { errorBody } from './openai-error.ts';
import { doneFrame, frameData, jsonFrame } from './sse.ts';
import type { RecalledAnswer, Translation } from './translation.ts';

/**
 * What a caller has got of an answer in another dialect, as the pieces of the chat that it was made of. Undefined when
 * it cannot be told from the frames.
 */
export function recallAnswer(
  translation: Translation,
  frames: readonly Buffer[],
  begunAs: string,
): RecalledAnswer | undefined {
  if (frames.length === 0) return { requestId: begunAs, receivedAt: undefined, chunks: [], frameCount: 0 };
  const events = frames.map(readEvent).filter((event) => event !== undefined);
  return events.length === frames.length ? translation.recall?.(events) : undefined;
}

/** Whether it was the last one of its answer. */
export function isLastFrame(translation: Translation, frame: Buffer): boolean {
  const event = readEvent(frame);
  return event !== undefined && translation.isLast?.(event) === true;
}

/** The end of a stream of which these frames have been sent, and no more will come. */
export function refusedEnd(
  translation: Translation | undefined,
  frames: readonly Buffer[],
  refusal: Refusal,
): string {
  const body = errorBody(refusal);
  const events = frames.map(readEvent).filter((event) => event !== undefined);
  return translation?.failAfter?.(events, body.error) ?? jsonFrame(body) + doneFrame;
}

/** A piece of a chat completion's stream with these words. */
export function chatPiece(delta: JsonObject): JsonObject {
  return { object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] };
}

function readEvent(frame: Buffer): JsonObject | undefined {
  try {
    const event: unknown = JSON.parse(frameData(frame) ?? '');
    return isObject(event) ? event : undefined;
  } catch {
    return undefined;
  }
}
