import { useRef } from 'react';
import { CallFailed } from '../client/call-failed.ts';
import { randomId } from '../client/random-id.ts';

/**
 * The name of a question for the server, which answers each name once. Somebody who sends the same words again
 * because no answer came gets the one that may be under way already.
 */
export function useRequestKey(): {
  readonly keyFor: (question: unknown) => string;
  readonly settle: (failure?: unknown) => void;
} {
  const unsettled = useRef<{ readonly question: string; readonly key: string }>(undefined);
  return {
    keyFor(question) {
      const text = JSON.stringify(question);
      if (unsettled.current?.question !== text) unsettled.current = { question: text, key: randomId() };
      return unsettled.current.key;
    },
    settle(failure) {
      const mayHaveArrived = failure instanceof CallFailed && failure.code === 'unreachable';
      if (!mayHaveArrived) unsettled.current = undefined;
    },
  };
}
