import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#vocabulary/clock';
import type { ChatMessage } from '#vocabulary/conversation';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { CancellationReason } from '#vocabulary/cancellation';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import { createAnswerPlaces } from './answer-places.ts';
import { createEndedAnswers } from './ended-answers.ts';
import { noSuchGeneration } from './missing.ts';
import type { PersonEvents } from './person-events.ts';
import type { RunningMessage } from './running-message.ts';

const saveEveryMs = 2000;
/** A last word that the database did not take is offered again, less and less often. */
const firstRetryMs = 500;
const maxRetryMs = 30_000;
/** A gateway that is stopping does not wait for its database for ever. */
const lastAttempts = 3;

/**
 * All answers and calls of tools that are being written, and those that just were. What is written so far is saved every two seconds;
 * the end is kept in memory until the database has it, and is read from there meanwhile.
 */
export interface AnswerRegistry {
  /** A place for one more answer. Taken before anything is awaited, held until disposed of. */
  reserve(personId: string): Disposable;
  /** Takes care of an answer until its work is done; `whenSaved` is called after it is written down. */
  keep(answer: RunningMessage, work: Promise<void>, whenSaved: () => void): void;
  find(personId: string, generationId: string): RunningMessage;
  findKnown(personId: string, generationId: string): RunningMessage | undefined;
  runningOf(personId: string): readonly RunningMessage[];
  runningIn(chatId: string): RunningMessage | undefined;
  running(): Iterable<RunningMessage>;
  /** The message as it stands: memory knows more than the database while an answer is being written. */
  newest(message: ChatMessage): ChatMessage;
  endWhere(isMeant: (answer: RunningMessage) => boolean, reason: CancellationReason): void;
  /** Nobody new, an end for whatever runs; resolves when everything is saved. */
  stop(): Promise<void>;
}

export function createAnswerRegistry(parts: {
  readonly store: ConversationStore;
  readonly events: PersonEvents;
  readonly clock: Clock;
  readonly logger: Logger;
}): AnswerRegistry {
  const { store, events, clock, logger } = parts;
  const running = new Map<string, RunningMessage>();
  /** By message: those that run, and those whose end the database does not have yet. */
  const unsaved = new Map<string, RunningMessage>();
  const ended = createEndedAnswers(clock);
  const places = createAnswerPlaces();
  const unfinished = new Set<Promise<void>>();
  const stopping = new AbortController();

  return {
    reserve(personId) {
      if (stopping.signal.aborted)
        throw new Refusal('shutting_down', 'The service is stopping. Try again soon.');
      const place = places.take(personId);
      const { promise, resolve } = Promise.withResolvers<void>();
      unfinished.add(promise);
      return {
        [Symbol.dispose]() {
          place[Symbol.dispose]();
          unfinished.delete(promise);
          resolve();
        },
      };
    },

    keep(answer, work, whenSaved) {
      const { description, personId } = answer;
      running.set(description.id, answer);
      unsaved.set(description.messageId, answer);
      const place = answer.takesPlace ? places.occupy(personId) : undefined;
      events.announce(personId, { type: 'generationStarted', generation: description });
      const kept = see(answer, work, place)
        .then(whenSaved)
        .catch((error: unknown) => logger.error({ error }, 'an answer could not be written down'))
        .finally(() => unfinished.delete(kept));
      unfinished.add(kept);
      if (stopping.signal.aborted) answer.cancellation.cancel('shutdown');
    },

    find(personId, generationId) {
      const answer = findKnown(personId, generationId);
      if (answer === undefined) throw noSuchGeneration();
      return answer;
    },

    findKnown,

    running: () => running.values(),

    runningOf: (personId) => [...running.values()].filter((answer) => answer.personId === personId),

    runningIn(chatId) {
      for (const answer of running.values()) if (answer.description.chatId === chatId) return answer;
      return undefined;
    },

    newest: (message) => findWriting(message)?.message() ?? message,

    endWhere,

    async stop() {
      stopping.abort();
      endWhere(() => true, 'shutdown');
      while (unfinished.size > 0) await Promise.allSettled(unfinished);
    },
  };

  /** What was read while the end was being saved says that it still runs. */
  function findWriting({ id, state }: ChatMessage): RunningMessage | undefined {
    return unsaved.get(id) ?? (state === 'running' ? ended.findJustEnded(id) : undefined);
  }

  function findKnown(personId: string, generationId: string): RunningMessage | undefined {
    const answer = running.get(generationId) ?? ended.find(generationId);
    return answer?.personId === personId ? answer : undefined;
  }

  function endWhere(isMeant: (answer: RunningMessage) => boolean, reason: CancellationReason): void {
    for (const answer of running.values()) if (isMeant(answer)) answer.cancellation.cancel(reason);
  }

  async function see(
    answer: RunningMessage,
    work: Promise<void>,
    place: Disposable | undefined,
  ): Promise<void> {
    const { description, personId } = answer;
    await saveWhile(answer, work);
    answer.close();
    const isSaved = await isTaken(answer);
    running.delete(description.id);
    ended.add(answer);
    place?.[Symbol.dispose]();
    events.announce(personId, { type: 'generationEnded', generation: description, state: answer.state });
    if (!isSaved) await insist(answer);
    unsaved.delete(description.messageId);
    if (description.chatId !== null) await announceChat(personId, description.chatId);
  }

  /** Resolves when the work is over and nothing of it is on its way to the database. */
  async function saveWhile(answer: RunningMessage, work: Promise<void>): Promise<void> {
    let saving: Promise<unknown> | undefined;
    let savedSequence = 0;
    const timer = setInterval(() => {
      if (saving !== undefined || answer.lastSequence === savedSequence) return;
      savedSequence = answer.lastSequence;
      saving = isTaken(answer).finally(() => {
        saving = undefined;
      });
    }, saveEveryMs).unref();
    try {
      await work;
    } catch (error) {
      logger.error({ error }, 'an answer ended with a bug');
    } finally {
      clearInterval(timer);
    }
    await saving;
  }

  async function insist(answer: RunningMessage): Promise<void> {
    let attemptsLeft = lastAttempts;
    for (let waitMs = firstRetryMs; attemptsLeft > 0; waitMs = Math.min(2 * waitMs, maxRetryMs)) {
      if (stopping.signal.aborted) {
        attemptsLeft--;
        await pause(firstRetryMs);
      } else await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (await isTaken(answer)) return;
    }
    const { id: generationId } = answer.description;
    throw new Error(`the database did not take the end of the answer ${generationId}`);
  }

  /** Whether the database has it now. Never throws. */
  async function isTaken(answer: RunningMessage): Promise<boolean> {
    const { chatId, messageId } = answer.description;
    try {
      if (chatId !== null) await store.saveProgress(chatId, messageId, answer.progress());
      return true;
    } catch (error) {
      logger.warn({ error, state: answer.state }, 'an answer could not be saved; it is tried again');
      return false;
    }
  }

  async function announceChat(personId: string, chatId: string): Promise<void> {
    const chat = await store.findChat(personId, chatId);
    if (chat !== undefined) events.announce(personId, { type: 'chatChanged', chat });
  }
}
