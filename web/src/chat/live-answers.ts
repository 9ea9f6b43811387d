import type { PersonEvent } from '#contract/generations';
import type { Message } from '#contract/messages';
import { createDrawingPace } from '../design/drawing-pace.ts';
import { advance, type AnswerProgress } from '../events/answer-progress.ts';

/**
 * The answers being written right now, outside React: a token changes one entry here and renders one message,
 * never the page. The server owns the generation; this only hears of it. Bounded by the generations one person can
 * have running, and `maxEnded` that were.
 */
export interface LiveAnswers {
  receive(event: PersonEvent): void;
  /** Nothing is heard until the next `hello`. */
  noteLost(): void;
  /** Listening twice to the same generation is harmless. */
  listen(message: Message, listener: AnswerListener): void;
  read(generationId: string | null): LiveAnswer | undefined;
  isAnswering(chatId: string): boolean;
  /** Whether more was added to a chat than what was asked for. */
  wasExtended(chatId: string): boolean;
  subscribe(listener: () => void): () => void;
  /** Called at once when an answer is over, or may have ended unheard. */
  whenOver(listener: () => void): () => void;
}

export interface AnswerListener {
  readonly ended: (message: Message) => void;
  /** The server says nothing of it: what is stored is the truth. */
  readonly lost: (last: Message) => void;
}

export interface LiveAnswer extends AnswerProgress {
  readonly isReconnecting: boolean;
}

export function createLiveAnswers(): LiveAnswers {
  const answers = new Map<string, LiveAnswer>();
  /** Followed, and not heard of since they began or since the last `hello`. */
  const unheard = new Map<string, ReturnType<typeof setTimeout>>();
  const listeners = new Map<string, AnswerListener>();
  const running = new Map<string, string | null>();
  const subscribers = new Set<() => void>();
  const waiters = new Set<() => void>();
  /** Chats to which the service itself has added messages lately. */
  const extended = new Set<string>();
  let isConnected = false;
  const tellInTime = createDrawingPace(reading, () => {
    for (const subscriber of subscribers) subscriber();
  });

  return {
    receive(event) {
      switch (event.type) {
        case 'hello':
          begin(event.generations);
          tellWaiters();
          return;
        case 'generationStarted':
          running.set(event.generation.id, event.generation.chatId);
          tellInTime(true);
          return;
        case 'generationEnded':
          running.delete(event.generation.id);
          tellInTime(true);
          tellWaiters();
          return;
        case 'answer':
          noteAnswer(event);
          return;
        case 'messagesAdded':
          extended.add(event.chatId);
          for (const oldest of extended) if (extended.size > maxEnded) extended.delete(oldest);
          return;
        case 'chatChanged':
        case 'chatRemoved':
        case 'chatsChanged':
        case 'foldersChanged':
        case 'spaceChanged':
        case 'spaceLeft':
        case 'sessionEnded':
      }
    },
    noteLost() {
      isConnected = false;
      noteConnection();
    },
    listen(message, listener) {
      const { generationId } = message;
      if (generationId === null || listeners.has(generationId)) return;
      const known = answers.get(generationId);
      if (known !== undefined && known.message.state !== 'running') {
        listener.ended(known.message);
        return;
      }
      listeners.set(generationId, listener);
      if (known !== undefined) return;
      answers.set(generationId, { ...justBegun(message), isReconnecting: !isConnected });
      expect(generationId);
    },
    read: (generationId) => (generationId === null ? undefined : answers.get(generationId)),
    isAnswering: (chatId) => running.values().some((runningIn) => runningIn === chatId),
    wasExtended: (chatId) => extended.has(chatId),
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    whenOver(waiter) {
      waiters.add(waiter);
      return () => waiters.delete(waiter);
    },
  };

  function tellWaiters(): void {
    for (const waiter of waiters) waiter();
  }

  function begin(generations: readonly { readonly id: string; readonly chatId: string | null }[]): void {
    isConnected = true;
    running.clear();
    for (const { id, chatId } of generations) running.set(id, chatId);
    for (const [id, { message }] of answers) {
      if (message.state === 'running' && !running.has(id)) expect(id);
    }
    noteConnection();
  }

  function noteAnswer({ generationId, event }: Extract<PersonEvent, { type: 'answer' }>): void {
    clearTimeout(unheard.get(generationId));
    unheard.delete(generationId);
    const known =
      answers.get(generationId) ?? (event.type === 'snapshot' ? justBegun(event.message) : undefined);
    if (known === undefined) return;
    const next = { ...advance(known, event), isReconnecting: false };
    answers.set(generationId, next);
    if (event.type === 'ended') end(generationId, next.message);
    // First and last words are shown at once.
    tellInTime(event.type === 'ended' || next.phase !== known.phase);
  }

  function end(generationId: string, message: Message): void {
    running.delete(generationId);
    listeners.get(generationId)?.ended(message);
    listeners.delete(generationId);
    const ended = [...answers].filter(([, answer]) => answer.message.state !== 'running');
    for (const [id] of ended.slice(0, -maxEnded)) answers.delete(id);
  }

  /** It was there a moment ago, or is said to begin: when nothing is heard of it, it is over. */
  function expect(generationId: string): void {
    clearTimeout(unheard.get(generationId));
    const timer = setTimeout(() => {
      unheard.delete(generationId);
      // `hello` will tell.
      if (!isConnected) return;
      const last = answers.get(generationId)?.message;
      answers.delete(generationId);
      if (last !== undefined) listeners.get(generationId)?.lost(last);
      listeners.delete(generationId);
      tellInTime(true);
    }, longestUnheardMs);
    unheard.set(generationId, timer);
  }

  function noteConnection(): void {
    for (const [id, answer] of answers) {
      if (answer.message.state === 'running') answers.set(id, { ...answer, isReconnecting: !isConnected });
    }
    tellInTime(true);
  }
}

function justBegun(message: Message): AnswerProgress {
  return { message, phase: 'waiting', place: null };
}

/** Words come many in a frame; nobody sees more than some thirty drawings a second. */
const reading = { shortestMs: 30, longestMs: 450 };
const maxEnded = 32;
const longestUnheardMs = 2000;
