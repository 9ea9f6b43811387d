import type { Clock } from '#vocabulary/clock';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { DepartureReason } from '#vocabulary/departure';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import { noSuchGeneration } from './missing.ts';
import type { PersonEvents } from './person-events.ts';
import type { RunningAnswer } from './running-answer.ts';

const maxRunningPerPerson = 8;
const maxRunning = 1000;
/** Ended answers stay readable, for windows that come back, this long and at most so many. */
const keepEndedMs = 5 * 60_000;
const maxEnded = 200;
const saveEveryMs = 2000;

/** All answers that are being written, and those that just were. What is written so far is saved every two seconds. */
export interface AnswerRegistry {
  refuseTooMany(personId: string): void;
  /** Takes care of an answer until its work is done; `whenSaved` is called after it is written down. */
  keep(answer: RunningAnswer, work: Promise<void>, whenSaved: () => void): void;
  find(personId: string, generationId: string): RunningAnswer;
  runningOf(personId: string): readonly RunningAnswer[];
  runningIn(chatId: string): RunningAnswer | undefined;
  endWhere(isMeant: (answer: RunningAnswer) => boolean, reason: DepartureReason): void;
  /** Resolves when nothing runs and everything is saved. */
  settle(): Promise<void>;
}

export function createAnswerRegistry(parts: {
  readonly store: ConversationStore;
  readonly events: PersonEvents;
  readonly clock: Clock;
  readonly logger: Logger;
}): AnswerRegistry {
  const { store, events, clock, logger } = parts;
  const running = new Map<string, RunningAnswer>();
  const ended = new Map<string, { readonly answer: RunningAnswer; readonly untilMs: number }>();
  const unfinished = new Set<Promise<void>>();

  return {
    refuseTooMany(personId) {
      if (running.size < maxRunning && runningOf(personId).length < maxRunningPerPerson) return;
      throw new Refusal(
        'rate_limit_exceeded',
        'Too many answers are being written for you right now. Wait for one to end, or stop one.',
        { retryAfterSeconds: 5 },
      );
    },

    keep(answer, work, whenSaved) {
      const { description, personId } = answer;
      running.set(description.id, answer);
      events.announce(personId, { type: 'generationStarted', generation: description });
      const kept = see(answer, work)
        .then(whenSaved)
        .catch((cause: unknown) => logger.error({ err: cause }, 'an answer could not be written down'))
        .finally(() => unfinished.delete(kept));
      unfinished.add(kept);
    },

    find(personId, generationId) {
      forgetOld();
      const answer = running.get(generationId) ?? ended.get(generationId)?.answer;
      if (answer === undefined || answer.personId !== personId) throw noSuchGeneration();
      return answer;
    },

    runningOf,

    runningIn(chatId) {
      for (const answer of running.values()) if (answer.description.chatId === chatId) return answer;
      return undefined;
    },

    endWhere(isMeant, reason) {
      for (const answer of running.values()) if (isMeant(answer)) answer.departure.leave(reason);
    },

    async settle() {
      while (unfinished.size > 0) await Promise.allSettled(unfinished);
    },
  };

  function runningOf(personId: string): readonly RunningAnswer[] {
    return [...running.values()].filter((answer) => answer.personId === personId);
  }

  async function see(answer: RunningAnswer, work: Promise<void>): Promise<void> {
    const { id, chatId } = answer.description;
    let saving = Promise.resolve();
    let isSaving = false;
    const timer = setInterval(() => {
      if (isSaving) return;
      isSaving = true;
      saving = save(answer)
        .catch((cause: unknown) => logger.warn({ err: cause }, 'an answer under way could not be saved'))
        .finally(() => {
          isSaving = false;
        });
    }, saveEveryMs).unref();
    try {
      await work;
    } catch (cause) {
      logger.error({ err: cause }, 'an answer ended with a bug');
    } finally {
      clearInterval(timer);
    }
    await saving;
    answer.close();
    try {
      await save(answer);
    } finally {
      running.delete(id);
      forgetOld();
      ended.set(id, { answer, untilMs: clock.monotonicMs() + keepEndedMs });
      const { description, state } = answer;
      events.announce(answer.personId, { type: 'generationEnded', generation: description, state });
      if (chatId !== null) await announceChat(answer.personId, chatId);
    }
  }

  async function save(answer: RunningAnswer): Promise<void> {
    const { chatId, messageId } = answer.description;
    if (chatId !== null) await store.saveProgress(chatId, messageId, answer.progress());
  }

  async function announceChat(personId: string, chatId: string): Promise<void> {
    const chat = await store.findChat(personId, chatId);
    if (chat !== undefined) events.announce(personId, { type: 'chatChanged', chat });
  }

  function forgetOld(): void {
    const now = clock.monotonicMs();
    for (const [id, { untilMs }] of ended) {
      if (untilMs > now && ended.size < maxEnded) break;
      ended.delete(id);
    }
  }
}
