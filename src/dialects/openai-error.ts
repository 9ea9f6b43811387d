import type { Reply } from '#vocabulary/exchange';
import { type Refusal, refusalKind } from '#vocabulary/refusal';
import { doneFrame, jsonFrame } from './sse.ts';
import type { ChatError } from './translation.ts';

/**
 * A refusal as its answer: OpenAI's error object with its status and `Retry-After` where waiting helps; as an
 * error event when a stream has already begun. Does nothing when the answer is over.
 */
export function answerRefusal(
  reply: Reply,
  refusal: Refusal,
  form: (error: ChatError) => object = (error) => ({ error }),
): void {
  if (reply.hasEnded) return;
  if (reply.hasBegun) {
    reply.end(jsonFrame(errorBody(refusal)) + doneFrame);
    return;
  }
  const body = Buffer.from(JSON.stringify(form(errorBody(refusal).error)));
  const headers = ['content-type', 'application/json', 'content-length', String(body.length)];
  if (refusal.retryAfterSeconds !== undefined) headers.push('retry-after', String(refusal.retryAfterSeconds));
  // Client libraries retry every 5xx, 409 and 429 unless told otherwise.
  if (refusal.status >= 500 || refusal.status === 409 || refusal.status === 429) {
    headers.push('x-should-retry', String(refusalKind(refusal.code).isRetryable));
  }
  for (const [name, value] of Object.entries(refusal.headers)) headers.push(name, value);
  reply.begin(refusal.status, headers);
  reply.end(body);
}

export function errorBody(refusal: Refusal): { readonly error: ChatError } {
  const { type } = refusalKind(refusal.code);
  return { error: { message: refusal.message, type, param: refusal.param, code: refusal.code } };
}
