import { useEffect, useRef, useState } from 'react';
import type { AttachedDocument } from '#contract/documents';
import type { Conversation } from '../chat/conversation.ts';
import { randomId } from '../client/random-id.ts';

export interface QuestionQueue {
  readonly questions: readonly QueuedQuestion[];
  readonly isFull: boolean;
  add(question: Pick<QueuedQuestion, 'content' | 'attached'>): void;
  remove(id: string): void;
  sendNow(id: string): void;
}

interface QueuedQuestion {
  readonly id: string;
  readonly content: string;
  readonly attached: readonly AttachedDocument[];
  /** The service would not take it: it waits for a click. */
  readonly isHeld: boolean;
}

/**
 * Questions written while an answer is being written. Each is sent when the answer before it is complete; after one
 * that was stopped or failed they wait for a click. In this window only, at most `maxQueued` per chat.
 */
export function useQuestionQueue(conversation: Conversation, isOnline: boolean): QuestionQueue {
  const { chatId, kind, path, running } = conversation;
  const name = chatId ?? kind;
  const [queues, setQueues] = useState<ReadonlyMap<string, readonly QueuedQuestion[]>>(new Map());
  const lastName = useRef(name);
  const questions = queues.get(name) ?? none;
  const change = (next: readonly QueuedQuestion[]) => setQueues((now) => new Map(now).set(name, next));

  // A new chat became a stored one while its first answer is being written.
  useEffect(() => {
    const waiting = queues.get('new');
    if (lastName.current === 'new' && name !== 'new' && running !== undefined && waiting !== undefined) {
      setQueues((now) => new Map([...now, [name, waiting], ['new', none]]));
    }
    lastName.current = name;
  }, [name, running, queues]);

  const send = (question: QueuedQuestion) => {
    change(questions.filter(({ id }) => id !== question.id));
    const { content, attached } = question;
    void conversation.send([{ role: 'user', content }], attached).then((isTaken) => {
      if (!isTaken)
        setQueues((now) =>
          new Map(now).set(name, [{ ...question, isHeld: true }, ...(now.get(name) ?? none)]),
        );
    });
  };
  useEffect(() => {
    const [next] = questions;
    const last = path.at(-1);
    const isAnswered = running === undefined && last?.role === 'assistant' && last.state === 'complete';
    if (isAnswered && isOnline && next?.isHeld === false) send(next);
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

const none: readonly QueuedQuestion[] = [];
const maxQueued = 8;
