import { setTimeout as pause } from 'node:timers/promises';
import { isObject } from '#dialects/json-object';
import type { Generation } from '#contract/generations';
import type { ConversationStore } from '#vocabulary/conversation-store';
import type { SequencedEvent } from '#vocabulary/conversations';
import type { PeerCalls, Peers } from '#vocabulary/peers';
import type { AnswerRegistry } from './answer-registry.ts';
import type { PersonEvents } from './person-events.ts';
import { readEntries } from './peer-answers.ts';
import type { Decision } from './running-call.ts';

/** Answers that other gateways are writing: a page that watches one here is handed through to the gateway that has it. */
export interface AnswersElsewhere {
  runningOf(personId: string): readonly Generation[];
  runningIn(chatId: string): string | undefined;
  knows(personId: string, generationId: string): boolean;
  /** As `GenerationDesk.subscribe`, for one that is known. */
  subscribe(
    personId: string,
    generationId: string,
    after: number | undefined,
    listener: (entry: SequencedEvent) => void,
  ): () => void;
  /** Something was begun here: the others hear of it at once. */
  tell(): void;
  /** False when nobody knows of it any more. */
  stop(personId: string, generationId: string): Promise<boolean>;
  /** The same, for a call that waits for its owner. */
  consent(personId: string, generationId: string, decision: Decision): Promise<boolean>;
}

interface Told {
  readonly gatewayId: string;
  readonly personId: string;
  readonly generation: Generation;
  /** Fires when it is not told any more: it has ended, or its gateway has. */
  readonly gone: AbortController;
}

const askAgainMs = 500;
/** A dead gateway's answers are marked within seconds; a database that is away may take longer. */
const longestWaitMs = 120_000;

export function createAnswersElsewhere(parts: {
  readonly peers: Peers;
  readonly calls: PeerCalls;
  readonly registry: AnswerRegistry;
  readonly store: ConversationStore;
  readonly events: PersonEvents;
}): AnswersElsewhere {
  const { peers, calls, store, events } = parts;
  let told = new Map<string, Told>();

  peers.join({
    name: 'answers/1',
    tell: () =>
      [...parts.registry.running()].map(({ personId, description }) => ({
        personId,
        generation: description,
      })),
    hear(all) {
      const before = told;
      told = new Map();
      for (const [gatewayId, value] of all)
        for (const { personId, generation } of readTold(value)) {
          const known = before.get(generation.id);
          const isSame = known?.gatewayId === gatewayId;
          const now = isSame ? known : { gatewayId, personId, generation, gone: new AbortController() };
          told.set(generation.id, now);
          if (known === undefined) begun(now);
        }
      for (const [id, each] of before) if (!told.has(id)) void over(each);
    },
    lose() {
      for (const each of told.values()) each.gone.abort();
      told = new Map();
    },
  });

  return {
    runningOf: (personId) =>
      [...told.values()].filter((each) => each.personId === personId).map(({ generation }) => generation),
    runningIn(chatId) {
      for (const { generation } of told.values()) if (generation.chatId === chatId) return generation.id;
      return undefined;
    },
    knows: (personId, generationId) => find(personId, generationId) !== undefined,
    subscribe(personId, generationId, after, listener) {
      const found = find(personId, generationId);
      const stopped = new AbortController();
      if (found !== undefined) void follow(found, after, listener, stopped.signal);
      return () => stopped.abort();
    },
    tell() {
      if (peers.count > 0) peers.hurry();
    },
    stop: (personId, generationId) => isDone(personId, generationId, 'stop', {}),
    consent: (personId, generationId, decision) => isDone(personId, generationId, 'consent', { decision }),
  };

  async function isDone(
    personId: string,
    generationId: string,
    verb: 'stop' | 'consent',
    details: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    const found = find(personId, generationId);
    const query = { person: personId, ...details };
    const path = `answers/${generationId}/${verb}`;
    const { signal } = found?.gone ?? new AbortController();
    const call = { method: 'POST', path, query, signal } as const;
    // The news of the gateway that writes it may be late: then each that can be asked is.
    const asked = found === undefined ? calls.gateways() : [found.gatewayId];
    const answers = await Promise.all(asked.map((gatewayId) => calls.ask(gatewayId, call)));
    return answers.some((answer) => answer?.status === 200);
  }

  function find(personId: string, generationId: string): Told | undefined {
    const found = told.get(generationId);
    return found?.personId === personId ? found : undefined;
  }

  /** From where the reader is until the end; when the gateway dies, with what it had stored. */
  async function follow(
    { gatewayId, personId, generation, gone }: Told,
    after: number | undefined,
    listener: (entry: SequencedEvent) => void,
    stopped: AbortSignal,
  ): Promise<void> {
    let last = after;
    const signal = AbortSignal.any([gone.signal, stopped]);
    while (!signal.aborted) {
      const query = { person: personId, ...(last !== undefined && { after: String(last) }) };
      const call = { method: 'GET', path: `answers/${generation.id}`, query, signal } as const;
      const answer = await calls.ask(gatewayId, call);
      if (answer?.status === 200)
        for await (const entry of readEntries(answer.body)) {
          if (stopped.aborted) return;
          last = entry.sequence;
          listener(entry);
          if (entry.event.type === 'ended') return;
        }
      await pause(askAgainMs, undefined, { ref: false, signal }).catch(() => {});
    }
    const stored = await storedEnd(generation, stopped);
    if (stored === undefined || stopped.aborted) return;
    const sequence = (last ?? 0) + 1;
    const { state, finishReason, error, usage, timings } = stored;
    if (state === 'running') return;
    listener({ sequence, event: { type: 'snapshot', message: stored, phase: 'answering' } });
    listener({
      sequence: sequence + 1,
      event: { type: 'ended', state, finishReason, error, usage, timings },
    });
  }

  /** The message as it was left, once somebody has said that it is over. */
  async function storedEnd({ chatId, messageId }: Generation, signal: AbortSignal) {
    if (chatId === null) return undefined;
    for (let waitedMs = 0; waitedMs < longestWaitMs && !signal.aborted; waitedMs += askAgainMs) {
      const message = await store.findMessage(chatId, messageId).catch(() => undefined);
      if (message !== undefined && message.state !== 'running') return message;
      await pause(askAgainMs, undefined, { ref: false, signal }).catch(() => {});
    }
    return undefined;
  }

  function begun({ personId, generation }: Told): void {
    if (!events.isWatched(personId)) return;
    events.repeat(personId, { type: 'generationStarted', generation });
    void announceChat(personId, generation);
  }

  async function over({ personId, generation, gone }: Told): Promise<void> {
    gone.abort();
    if (!events.isWatched(personId)) return;
    const state = (await storedEnd(generation, new AbortController().signal))?.state ?? 'interrupted';
    events.repeat(personId, { type: 'generationEnded', generation, state });
    await announceChat(personId, generation);
  }

  /** Whoever watches reads the list again some time; this only makes it sooner. */
  async function announceChat(personId: string, { chatId }: Generation): Promise<void> {
    if (chatId === null) return;
    const chat = await store.findChat(personId, chatId).catch(() => undefined);
    if (chat !== undefined) events.repeat(personId, { type: 'chatChanged', chat });
  }
}

/** What is no answer is passed over: a gateway of another version may have told it. */
function readTold(value: unknown): { personId: string; generation: Generation }[] {
  return Array.isArray(value) ? value.filter(isTold) : [];
}

function isTold(value: unknown): value is { personId: string; generation: Generation } {
  if (!isObject(value) || typeof value['personId'] !== 'string') return false;
  const { generation } = value;
  return (
    isObject(generation) &&
    ['id', 'messageId', 'model'].every((name) => typeof generation[name] === 'string') &&
    (generation['chatId'] === null || typeof generation['chatId'] === 'string') &&
    typeof generation['startedAt'] === 'number'
  );
}
