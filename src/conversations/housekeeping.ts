import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#vocabulary/clock';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { Logger } from '#vocabulary/logger';
import { undoMs } from './chat-desk.ts';
import type { PersonEvents } from './person-events.ts';

/** A gateway that died beside this one leaves answers that nobody writes any more. */
const lookForAbandonedMs = 5000;
const sweepEveryMs = 3_600_000;
/** Between two small steps of the same kind: people come first. */
const restMs = 20;

/** What is done in the background, in small steps: nobody waits for it, not even the start. */
export interface Housekeeping {
  /** Resolves when what dead processes left is marked; the rest goes on in the background. */
  start(): Promise<void>;
  /** Resolves when the step under way is done. */
  stop(): Promise<void>;
}

export function createHousekeeping(parts: {
  readonly store: ConversationStore;
  readonly events: PersonEvents;
  /** Undefined: for ever. */
  readonly keepChatsMs: number | undefined;
  /** Does what one gateway at a time should do. */
  readonly once: (duty: string, work: () => Promise<void>) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}): Housekeeping {
  const { store, events, keepChatsMs, clock, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const work: Promise<void>[] = [];

  return {
    async start() {
      await markAbandoned();
      work.push(
        repeat('answers left behind could not be marked', lookForAbandonedMs, markAbandoned),
        repeat('old chats could not be removed', sweepEveryMs, () => parts.once('old chats', sweep)),
        catchUpSearch().catch((error: unknown) =>
          logger.error({ error }, 'old chats could not be brought into the search'),
        ),
      );
    },
    async stop() {
      stopping.abort();
      await Promise.all(work);
    },
  };

  async function repeat(complaint: string, everyMs: number, task: () => Promise<void>): Promise<void> {
    do {
      await task().catch((error: unknown) => logger.error({ error }, complaint));
    } while (await rested(everyMs));
  }

  async function markAbandoned(): Promise<void> {
    const interrupted = await store.interruptAbandoned();
    if (interrupted > 0) logger.info({ interrupted }, 'answers of a process that is gone are interrupted');
  }

  async function sweep(): Promise<void> {
    if (keepChatsMs !== undefined) await stepByStep(() => retire(clock.wallMs() - keepChatsMs));
    await stepByStep(() => store.purge(clock.wallMs() - undoMs));
  }

  /** Texts from before an upgrade that searches more of them. */
  async function catchUpSearch(): Promise<void> {
    await parts.once('search', () => stepByStep(async () => Number(await store.catchUpSearch())));
  }

  async function retire(updatedBefore: number): Promise<number> {
    const retired = await store.retireChats(updatedBefore, clock.wallMs());
    for (const { personId, chatId } of retired) events.announce(personId, { type: 'chatRemoved', chatId });
    return retired.length;
  }

  /** Until a step finds nothing to do, or the service stops. */
  async function stepByStep(step: () => Promise<number>): Promise<void> {
    while (!signal.aborted && (await step()) > 0) await rested(restMs);
  }

  /** False when the service stops meanwhile. */
  async function rested(ms: number): Promise<boolean> {
    return await pause(ms, true, { ref: false, signal }).catch(() => false);
  }
}
