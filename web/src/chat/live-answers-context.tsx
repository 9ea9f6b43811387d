import { createContext, use, useSyncExternalStore } from 'react';
import type { Message } from '#contract/messages';
import type { LiveAnswer, LiveAnswers } from './live-answers.ts';

export const LiveAnswersContext = createContext<LiveAnswers | undefined>(undefined);

export function useLiveAnswers(): LiveAnswers {
  const answers = use(LiveAnswersContext);
  if (answers === undefined) throw new Error('Live answers are provided at the root of the page.');
  return answers;
}

/** The live state of a running message; undefined for one that is over. */
export function useLiveAnswer(message: Message): LiveAnswer | undefined {
  const answers = useLiveAnswers();
  return useSyncExternalStore(answers.subscribe, () => answers.read(message.generationId));
}

/** Whether an answer is being written in a chat right now. */
export function useIsAnswering(chatId: string): boolean {
  const answers = useLiveAnswers();
  return useSyncExternalStore(answers.subscribe, () => answers.isAnswering(chatId));
}
