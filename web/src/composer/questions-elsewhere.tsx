import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { useChatAtHand } from '../app/chat-at-hand.ts';
import { failureSentence } from '../app/failure-sentence.ts';
import { useNotices } from '../app/notices.tsx';
import { useSession } from '../app/session.tsx';
import { readChat } from '../chat/chat-pages.ts';
import { withDocuments } from '../chat/conversation.ts';
import { insist } from '../chat/insist.ts';
import { useLiveAnswers } from '../chat/live-answers-context.tsx';
import { buildTree, pathTo } from '../chat/message-tree.ts';
import { noteStarted } from '../chat/note-started.ts';
import { askedSettings } from '../chat/use-answer-settings.ts';
import { useModelsNow } from '../chat/use-models.ts';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { useWords } from '../language/language.tsx';
import { draftName } from './drafts.ts';
import {
  chatsWithQuestions,
  isAnswered,
  nextQuestion,
  noteChangedElsewhere,
  sendQuestion,
  waitingQuestions,
} from './waiting-questions.ts';

/** Sends the questions that wait in chats nobody looks at. The chat before one's eyes sends its own. */
export function QuestionsElsewhere() {
  const client = useClient();
  const queries = useQueryClient();
  const liveAnswers = useLiveAnswers();
  const modelsNow = useModelsNow();
  const hand = useChatAtHand();
  const notices = useNotices();
  const words = useWords();
  const { person } = useSession();
  const [location] = useLocation();

  const isElsewhere = (chatId: string) =>
    hand.current.conversation?.chatId !== chatId && !liveAnswers.isAnswering(chatId);

  const lookAt = async (chatId: string) => {
    const draft = draftName(person.id, chatId);
    if (nextQuestion(draft) === undefined || !isElsewhere(chatId)) return;
    // A chat that cannot be read now is looked at again; one that is gone has nobody to be asked.
    const queryKey = queryKeys.chat(chatId);
    const read = () => readChat(client, chatId, queries.getQueryData(queryKey));
    const known = await queries.fetchQuery({ queryKey, queryFn: read, staleTime: 0 }).catch(() => undefined);
    if (known === undefined) return;
    const path = pathTo(buildTree(known.messages), known.chat.activeLeafId);
    const question = nextQuestion(draft);
    if (question === undefined || !isElsewhere(chatId) || !isAnswered(path)) return;
    await sendQuestion(draft, question, async () => {
      try {
        const { id: requestKey, content, attached } = question;
        const body = {
          chatId,
          parentId: path.at(-1)?.id ?? null,
          newMessages: withDocuments([{ role: 'user', content }], attached),
          requestKey,
          ...askedSettings(known.chat, await modelsNow()),
        };
        const started = await insist(() => client.call('POST /console/generations', { body }));
        noteStarted(queries, liveAnswers, started);
        return true;
      } catch (failure) {
        notices.complain(`${known.chat.title}: ${failureSentence(failure, words)}`);
        return false;
      }
    });
  };
  const look = useEffectEvent(() => {
    for (const chatId of chatsWithQuestions(person.id)) void lookAt(chatId);
  });

  useEffect(() => look(), [location]);
  useEffect(() => {
    const listeners = new AbortController();
    addEventListener('storage', ({ key }) => noteChangedElsewhere(key), listeners);
    addEventListener('online', () => look(), listeners);
    const stops = [waitingQuestions.subscribe(() => look()), liveAnswers.whenOver(() => look())];
    return () => {
      listeners.abort();
      for (const stop of stops) stop();
    };
  }, [liveAnswers]);
  return null;
}
