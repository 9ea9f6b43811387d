import { isObject, type JsonObject } from '#dialects/json-object';
import { chatPiece } from '#dialects/recalled-answer';
import { responseError } from './response-error.ts';
import { type ChatError, namedFrame, type RecalledAnswer } from '#dialects/translation';

/** Each piece of text has an event of its own, and all others follow from them. Calls cannot be gone on with. */
export function recallResponse(events: readonly JsonObject[]): RecalledAnswer | undefined {
  const response = events[0]?.response;
  if (!isObject(response) || typeof response.id !== 'string' || typeof response.created_at !== 'number')
    return undefined;
  const chunks: JsonObject[] = [];
  for (const { type, delta, item } of events) {
    if (isObject(item) && item.type !== 'message' && item.type !== 'reasoning') return undefined;
    if (type === 'response.reasoning_text.delta') chunks.push(chatPiece({ reasoning: delta }));
    else if (type === 'response.output_text.delta') chunks.push(chatPiece({ content: delta }));
    else if (type === 'response.refusal.delta') return undefined;
  }
  const requestId = response.id.slice('resp_'.length);
  return { requestId, receivedAt: response.created_at * 1000, chunks, frameCount: events.length };
}

export function isLastEvent({ type }: JsonObject): boolean {
  return type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed';
}

/** What was finished of it stays in it. */
export function failedAfter(events: readonly JsonObject[], error: ChatError): string {
  const begun = events[0]?.response;
  const output = events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []));
  const response = {
    ...(isObject(begun) ? begun : { object: 'response' }),
    status: 'failed',
    output,
    error: responseError(error),
  };
  const last = events.at(-1)?.sequence_number;
  const sequenceNumber = typeof last === 'number' ? last + 1 : 0;
  return namedFrame({ type: 'response.failed', sequence_number: sequenceNumber, response });
}
