import { useRef } from 'react';
import type { Generation } from '#contract/generations';
import type { Message } from '#contract/messages';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { useWords } from '../language/language.tsx';

interface Stop {
  /** Wraps the asking: an answer that is stopped before it has an id is stopped as soon as it has one. */
  whileAsking<Answer extends { readonly generation: Generation }>(
    ask: () => Promise<Answer>,
  ): Promise<Answer>;
  stop(running: Message | undefined): void;
}

export function useStop(): Stop {
  const client = useClient();
  const notices = useNotices();
  const words = useWords();
  const asked = useRef<{ isUnwanted: boolean }>(undefined);
  const stopGeneration = (generationId: string) =>
    void client
      .call('POST /console/generations/:generationId/stop', { generationId })
      .catch((failure: unknown) => notices.complain(failureSentence(failure, words)));
  return {
    async whileAsking(ask) {
      const current = { isUnwanted: false };
      asked.current = current;
      const answer = await ask();
      if (current.isUnwanted) stopGeneration(answer.generation.id);
      return answer;
    },
    stop(running) {
      if (running === undefined) return;
      if (running.generationId !== null) stopGeneration(running.generationId);
      else if (asked.current !== undefined) asked.current.isUnwanted = true;
    },
  };
}
