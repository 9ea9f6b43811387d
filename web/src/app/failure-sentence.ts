import type { RefusalCode } from '#contract/errors';
import type { MessageError } from '#contract/messages';
import { CallFailed } from '../client/call-failed.ts';
import type { Words } from '../language/en/first.ts';
import type { RefusalWords, RefusedField } from '../language/en/refusals.ts';

/**
 * What to tell a person about something that failed, in their language. The service's own sentences are for
 * programs and never shown: its codes are a closed list, and each has words here.
 */
export function failureSentence(failure: unknown, words: Words): string {
  if (!(failure instanceof CallFailed)) return words.failure.unexpected;
  const { code, retryAfterSeconds } = failure;
  if (code === 'unreachable') return words.failure.unreachable;
  if (!isRefusalCode(words.refusals, code)) return words.failure.status(failure.status);
  const sentence = refusalSentence(words.refusals, failure, code);
  return retryAfterSeconds === undefined
    ? sentence
    : `${sentence} ${words.refusals.again(retryAfterSeconds)}`;
}

/** Why an answer failed. */
export function answerFailureSentence({ code }: MessageError, words: Words): string {
  if (!isRefusalCode(words.refusals, code)) return words.answer.failed;
  return words.refusals.places.answer?.[code] ?? words.refusals.codes[code];
}

function refusalSentence(refusals: RefusalWords, { route, param }: CallFailed, code: RefusalCode): string {
  const field = param?.split('.').find((part) => Object.hasOwn(refusals.fields, part));
  if (code === 'invalid_parameter' && field !== undefined && route !== 'POST /console/chats/import') {
    return refusals.fields[field as RefusedField];
  }
  return refusals.places[route]?.[code] ?? refusals.codes[code];
}

function isRefusalCode(refusals: RefusalWords, code: string): code is RefusalCode {
  return Object.hasOwn(refusals.codes, code);
}
