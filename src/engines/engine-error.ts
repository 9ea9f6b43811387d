import { jsonFault } from '#dialects/json-fault';
import { EngineFault } from '#vocabulary/engine-fault';
import type { InferenceEndpoint, ParsedRequest } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';

/**
 * What an engine's error answer means to the caller. The status keeps its meaning; the engine's sentence is passed
 * on only when it speaks of the request and shows nothing of the engine's insides.
 */
export function engineError(
  status: number,
  body: string,
  { endpoint, envelope }: Pick<ParsedRequest, 'endpoint' | 'envelope'>,
  toldSeconds?: number,
): Refusal | EngineFault {
  const retryAfterSeconds = Math.min(Math.max(toldSeconds ?? 2, 1), longestRetrySeconds);
  const { message, param } = readErrorBody(body);
  const sentence = isPresentable(message) ? message : undefined;
  switch (status) {
    case 400:
    case 413:
    case 422:
      if (contextOverflow.test(message)) {
        return new Refusal(
          'context_length_exceeded',
          sentence ?? 'The prompt is longer than the context of the model. Shorten it.',
          { param: promptField.get(endpoint) ?? 'messages' },
        );
      }
      if (status === 413)
        return new Refusal(
          'request_too_large',
          sentence ?? 'The engine of this model takes no request of this size. Send a shorter one.',
          { param },
        );
      // SGLang has every address and refuses as a mistake of the caller what it was not started for.
      if (notStartedFor.test(message)) return notOffered();
      return (
        unreadable(envelope.body) ??
        new Refusal(
          'invalid_request',
          sentence ?? 'The engine refused the request as invalid. Check its parameters.',
          { param },
        )
      );
    case 429:
      return new Refusal(
        'rate_limit_exceeded',
        'The engine is taking no more requests at the moment. Try again after the time in Retry-After.',
        { retryAfterSeconds },
      );
    case 404:
    case 405:
    case 501:
      return notOffered();
    case 503:
      if (/queue is full/i.test(message)) {
        return new Refusal('queue_full', 'The engine is busy. Try again after the time in Retry-After.', {
          retryAfterSeconds,
        });
      }
      return new EngineFault('the engine answered 503', {
        retry: 'once-more',
        retryAfterSeconds: toldSeconds && retryAfterSeconds,
      });
    case 401:
    case 403:
      // Our credential, not the caller's request.
      return new EngineFault(`the engine answered ${status}`, { retry: 'elsewhere' });
    default:
      // A redirect leads away from the engine that was configured.
      if (status >= 400 && status < 500) {
        return new Refusal('invalid_request', sentence ?? 'The engine refused the request.', { param });
      }
      return new EngineFault(`the engine answered ${status}`, { retry: 'elsewhere' });
  }
}

/** What an engine says of itself is heeded within reason. */
const longestRetrySeconds = 600;

/** Where it is not `messages`. */
const promptField: ReadonlyMap<InferenceEndpoint, string> = new Map([
  ['completions', 'prompt'],
  ['embeddings', 'input'],
]);

/** The inside of a body is read by the engine alone; when it refuses one, a look says whether that was why. */
function unreadable(body: Buffer): Refusal | undefined {
  return body.length > maxLookedAt ? undefined : jsonFault(body);
}

const maxLookedAt = 1_048_576;

const contextOverflow =
  /maximum context length|longer than the model's context length|exceeds the available context size|max_completion_tokens is too large|cannot be greater than max_model_len/i;
const notStartedFor = /does not appear to be an embedding model/i;
const insides =
  /traceback|file "|\.(?:py|cc|cpp|rs)\b|\/(?:usr|home|opt|root|var|tmp|data|mnt|models?)\/|https?:\/\/|\b0x[0-9a-f]{6,}|\b\d{1,3}(?:\.\d{1,3}){3}\b/i;

function notOffered(): Refusal {
  return new Refusal('not_supported_by_engine', 'The engine of this model does not offer this endpoint.');
}

function isPresentable(message: string): boolean {
  return message.length > 0 && message.length <= 2000 && !insides.test(message);
}

/** Nested (OpenAI, vLLM, llama-server), flat (SGLang, old vLLM), a bare string, FastAPI's `detail`. */
function readErrorBody(body: string): { message: string; param: string | undefined } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { message: '', param: undefined };
  }
  const outer = asRecord(parsed);
  const error =
    typeof outer.error === 'string'
      ? { message: outer.error }
      : outer.error === undefined
        ? outer
        : asRecord(outer.error);
  const message = [error.message, outer.detail].find((text) => typeof text === 'string');
  return {
    message: typeof message === 'string' ? message : '',
    // vLLM tells the place in the HTTP request.
    param: typeof error.param === 'string' ? error.param.replace(/^body\./, '') : undefined,
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
