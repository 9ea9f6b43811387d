import type { ChatWithMessages } from '#contract/chats';
import type { Feedback } from '#contract/feedback';
import type { Message } from '#contract/messages';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useClient } from '../client/client-context.tsx';
import { randomId } from '../client/random-id.ts';
import { useWords } from '../language/language.tsx';
import type { WorkingWithAnswers } from './conversation.ts';
import { withMessages } from './message-tree.ts';

interface WorkingParts {
  readonly changeStored: (chatId: string, change: (now: ChatWithMessages) => ChatWithMessages) => void;
  readonly runAgain: WorkingWithAnswers['runAgain'];
}

/** Continuing, judging and repeating answers of a chat that is kept; undefined before there is one. */
export function useWorkingWithAnswers(
  chatId: string | null,
  { changeStored, runAgain }: WorkingParts,
): WorkingWithAnswers | undefined {
  const client = useClient();
  const notices = useNotices();
  const words = useWords();
  if (chatId === null) return undefined;

  const put = (messages: readonly Message[]) =>
    changeStored(chatId, (now) => ({ ...now, messages: withMessages(now.messages, messages) }));

  async function goOn({ id: messageId }: Message): Promise<void> {
    if (chatId === null) return;
    try {
      const body = { chatId, messageId, requestKey: randomId() };
      put((await client.call('POST /console/generations/continue', { body })).messages);
    } catch (failure) {
      notices.complain(failureSentence(failure, words));
    }
  }

  /** Shows it at once and takes it back when the server says no. */
  async function judge(answer: Message, feedback: Feedback | null): Promise<void> {
    if (chatId === null) return;
    put([{ ...answer, feedback }]);
    try {
      await client.call('PUT /console/chats/:chatId/messages/:messageId/feedback', {
        chatId,
        messageId: answer.id,
        body: { feedback },
      });
    } catch (failure) {
      put([answer]);
      notices.complain(failureSentence(failure, words));
    }
  }

  return {
    goOn: (answer) => void goOn(answer),
    judge: (answer, feedback) => void judge(answer, feedback),
    runAgain,
  };
}
