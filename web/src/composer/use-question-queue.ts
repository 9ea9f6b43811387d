import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { AttachedDocument } from '#contract/documents';
import { useSession } from '../app/session.tsx';
import type { Conversation } from '../chat/conversation.ts';
import { randomId } from '../client/random-id.ts';
import { createDraftList } from './draft-list.ts';
import { draftName } from './drafts.ts';

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
 * that was stopped or failed, and after a reload, they wait for a click. In this window only, at most `maxQueued` per
 * chat.
 */
export function useQuestionQueue(conversation: Conversation, isOnline: boolean): QuestionQueue {
  const { chatId, kind, path, running } = conversation;
  const { person } = useSession();
  const draft = kind === 'temporary' ? kind : draftName(person.id, chatId);
  const questions = useSyncExternalStore(waiting.subscribe, () => waiting.of(draft));
  const change = (next: readonly QueuedQuestion[]) => waiting.change(draft, () => next);
  useEffect(() => () => waiting.forget('temporary'), []);

  /** The draft whose question is on its way: the page may not show it yet. */
  const sending = useRef<string>(undefined);
  const send = (question: QueuedQuestion) => {
    sending.current = draft;
    // Whoever sends one by a click wants those behind it too.
    change(questions.filter(({ id }) => id !== question.id).map((next) => ({ ...next, isHeld: false })));
    const { content, attached } = question;
    void conversation.send([{ role: 'user', content }], attached).then((isTaken) => {
      sending.current = undefined;
      // A new list in any case: whether the next one may go is looked at again.
      waiting.change(draft, (now) => [...(isTaken ? [] : [{ ...question, isHeld: true }]), ...now]);
    });
  };
  useEffect(() => {
    const [next] = questions;
    const last = path.at(-1);
    const isAnswered = running === undefined && last?.role === 'assistant' && last.state === 'complete';
    if (isAnswered && isOnline && sending.current !== draft && next?.isHeld === false) send(next);
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

const waiting = createDraftList<QueuedQuestion>({
  placeOf: (draft) => (draft === 'temporary' ? undefined : `${draft}.queue.${thisWindow()}`),
  restored: (question) => ({ ...question, isHeld: true }),
});
export const moveQueue = waiting.move;

/** Another window must not send the same questions. */
function thisWindow(): string {
  const name = 'gatehouse.window';
  const known = sessionStorage.getItem(name);
  if (known !== null) return known;
  const made = randomId();
  sessionStorage.setItem(name, made);
  return made;
}
