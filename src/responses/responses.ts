/**
 * Which answers are kept, for whom, and how does one come back to them? Only what a caller asked to keep is kept, for
 * a while, and shown to nobody else. A response in the background is written here whether its caller waits or not.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '#dialects/json-object';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import type { ResponseShelf } from '#vocabulary/response-shelf';
import type { KeptResponse, ResponseOwner, ResponseStore } from '#vocabulary/response-store';
import { BackgroundRun } from './background-run.ts';
import { EventLog } from './event-log.ts';
import { createKeeping, type KeepingBounds } from './keeping.ts';
import { aliveMs, createShelf, unknownResponse } from './shelf.ts';

export interface ResponsesOptions extends KeepingBounds {
  readonly store: ResponseStore;
  readonly keepMs: number;
  readonly maxBodyBytes: number;
  /** Does what one gateway at a time should do. Without it there is no other. */
  readonly once?: (duty: string, work: () => Promise<void>) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Responses {
  readonly shelf: ResponseShelf;
  /** Throws a refusal for whoever has too many under way. Disposing says that its work is over. */
  beginRun(owner: ResponseOwner, requestId: string): BackgroundRun & Disposable;
  /** The following refuse with `not_found` what is not there, and what is another's. */
  read(owner: ResponseOwner, id: string): Promise<JsonObject>;
  readItems(owner: ResponseOwner, id: string): Promise<readonly JsonObject[]>;
  readEvents(owner: ResponseOwner, id: string): Promise<EventLog>;
  cancel(owner: ResponseOwner, id: string): Promise<JsonObject>;
  remove(owner: ResponseOwner, id: string): Promise<void>;
  /** One that is being written in the background, by this gateway. */
  findRun(ownerId: string, id: string): BackgroundRun | undefined;
  /** Whether another gateway is writing it. */
  isWrittenElsewhere(owner: ResponseOwner, id: string): Promise<boolean>;
  start(): void;
  stop(): Promise<void>;
}

const maxRuns = 256;
const maxRunsPerOwner = 16;
const renewEveryMs = 15_000;
const sweepEveryMs = 3_600_000;
const lastWordsMs = 2000;

export function createResponses(options: ResponsesOptions): Responses {
  const { store, clock, logger } = options;
  const keeping = createKeeping(store, options, clock, logger);
  /** By the id of their request. */
  const runs = new Map<string, BackgroundRun>();
  const timers: NodeJS.Timeout[] = [];

  return {
    shelf: createShelf({
      keeping,
      keepMs: options.keepMs,
      maxBytes: options.maxBodyBytes,
      clock,
      runOf: (requestId) => runs.get(requestId),
    }),
    beginRun(owner, requestId) {
      const own = [...runs.values()].filter((run) => run.owner.id === owner.id).length;
      if (runs.size >= maxRuns || own >= maxRunsPerOwner) throw tooManyRuns(own);
      const run = new BackgroundRun(owner);
      runs.set(requestId, run);
      return Object.assign(run, { [Symbol.dispose]: () => void runs.delete(requestId) });
    },
    async read(owner, id) {
      return findRun(owner.id, id)?.current ?? shown(await find(owner, id));
    },
    async readItems(owner, id) {
      return JSON.parse((await find(owner, id)).input) as JsonObject[];
    },
    async readEvents(owner, id) {
      const run = findRun(owner.id, id);
      if (run !== undefined) return run.log;
      const { events } = await find(owner, id);
      if (events === undefined) throw noEvents(id);
      return EventLog.read(events);
    },
    async cancel(owner, id) {
      const run = findRun(owner.id, id);
      if (run === undefined) {
        const response = shown(await find(owner, id));
        if (response.background === true) return response;
        throw new Refusal('invalid_request', 'Only a response in the background can be cancelled.');
      }
      run.cancel();
      return run.current;
    },
    async remove(owner, id) {
      const run = findRun(owner.id, id);
      run?.forget();
      if (!(await keeping.remove(owner.id, id)) && run === undefined) throw unknownResponse(id);
    },
    findRun,
    async isWrittenElsewhere(owner, id) {
      if (findRun(owner.id, id) !== undefined) return false;
      return (await keeping.find(owner.id, id))?.aliveUntil !== undefined;
    },
    start() {
      timers.push(setInterval(renew, renewEveryMs).unref(), setInterval(sweep, sweepEveryMs).unref());
      sweep();
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      for (const run of runs.values()) run.cancellation.cancel('shutdown');
      const allOver = Promise.all([...runs.values()].map((run) => run.whenOver()));
      await Promise.race([allOver, pause(lastWordsMs, undefined, { ref: false })]);
      await keeping.settled();
    },
  };

  function findRun(ownerId: string, id: string): BackgroundRun | undefined {
    for (const run of runs.values())
      if (run.current.id === id && run.owner.id === ownerId && !run.isForgotten) return run;
    return undefined;
  }

  async function find(owner: ResponseOwner, id: string): Promise<KeptResponse> {
    const kept = await keeping.find(owner.id, id);
    if (kept === undefined) throw unknownResponse(id);
    return kept;
  }

  function shown(kept: KeptResponse): JsonObject {
    const response = JSON.parse(kept.response) as JsonObject;
    const wasLost = kept.aliveUntil !== undefined && kept.aliveUntil < clock.wallMs();
    return wasLost ? { ...response, status: 'failed', error: lost } : response;
  }

  /** As long as somebody says so, a response is being written. */
  function renew(): void {
    const ids = [...runs.values()].flatMap(({ current: { id } }) => (typeof id === 'string' ? [id] : []));
    if (ids.length === 0) return;
    store
      .stayAlive(ids, clock.wallMs() + aliveMs)
      .catch((error: unknown) => logger.warn({ error }, 'running responses could not be renewed'));
  }

  function sweep(): void {
    const once = options.once ?? ((_, work) => work());
    once('old responses', forgetAll).catch((error: unknown) =>
      logger.error({ error }, 'old responses could not be forgotten'),
    );
  }

  async function forgetAll(): Promise<void> {
    while ((await store.forgetExpired(clock.wallMs())) > 0);
  }
}

const lost = {
  code: 'server_error',
  message: 'The service was stopped while this response was being written. Send the request again.',
};

function tooManyRuns(own: number): Refusal {
  return new Refusal(
    'rate_limit_exceeded',
    own >= maxRunsPerOwner
      ? `You have ${own} responses in the background already. Wait for some of them to end.`
      : 'The service writes as many responses in the background as it can.',
    { retryAfterSeconds: 5 },
  );
}

function noEvents(id: string): Refusal {
  return new Refusal(
    'invalid_request',
    `The events of \`${id}\` are not kept. Get the response itself, without "stream".`,
    { param: 'stream' },
  );
}

export type { EventLog } from './event-log.ts';
