import { CallFailed } from '../client/call-failed.ts';
import type { Words } from '../language/en.ts';

/** What to tell a person about something that failed. The server's own sentence wins: it says what to do next. */
export function failureSentence(failure: unknown, words: Words): string {
  if (!(failure instanceof CallFailed)) return words.failure.unexpected;
  if (failure.code === 'unreachable') return words.failure.unreachable;
  return failure.message === '' ? words.failure.status(failure.status) : failure.message;
}
