import { useEffect, useSyncExternalStore } from 'react';
import { useSession } from '../app/session.tsx';
import type { Conversation } from '../chat/conversation.ts';
import { randomId } from '../client/random-id.ts';
import { draftName } from './drafts.ts';
import {
  isAnswered,
  nextQuestion,
  type QueuedQuestion,
  sendQuestion,
  waitingQuestions,
} from './waiting-questions.ts';

export interface QuestionQueue {
  readonly questions: readonly QueuedQuestion[];
  readonly isFull: boolean;
  add(question: Pick<QueuedQuestion, 'content' | 'attached'>): void;
  remove(id: string): void;
  sendNow(id: string): void;
}

/**
 * Questions written while an answer is being written. Each is sent when the answer before it is complete, also where
 * another chat is looked at (`QuestionsElsewhere`) and after a reload; after one that was stopped or failed they wait
 * for a click. In this window only, at most `maxQueued` per chat.
 */
export function useQuestionQueue(conversation: Conversation, isOnline: boolean): QuestionQueue {
  const { chatId, kind, path, running } = conversation;
  const { person } = useSession();
  const draft = kind === 'temporary' ? kind : draftName(person.id, chatId);
  const questions = useSyncExternalStore(waitingQuestions.subscribe, () => waitingQuestions.of(draft));
  const change = (next: readonly QueuedQuestion[]) => waitingQuestions.change(draft, () => next);
  useEffect(() => () => waitingQuestions.forget('temporary'), []);

  const send = (question: QueuedQuestion) => {
    const { id, content, attached } = question;
    void sendQuestion(draft, question, () => conversation.send([{ role: 'user', content }], attached, id));
  };
  useEffect(() => {
    const next = nextQuestion(draft);
    if (next !== undefined && running === undefined && isAnswered(path) && isOnline) send(next);
  });

  return {
    questions,
    isFull: questions.length >= maxQueued,
    add: (question) => change([...questions, { id: randomId(), ...question, isHeld: false }]),
    remove: (id) => change(questions.filter((question) => question.id !== id)),
    sendNow: (id) => {
      const question = questions.find((candidate) => candidate.id === id);
      if (question !== undefined) send(question);
    },
  };
}

const maxQueued = 8;
