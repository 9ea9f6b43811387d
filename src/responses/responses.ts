/**
 * Which answers are kept, for whom, and how does one come back to them? Only what a caller asked to keep is kept, for
 * a while, and shown to nobody else. A response in the background is written here whether its caller waits or not.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '#dialects/json-object';
import { responseId } from '#dialects/responses/response-frame';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import type { ResponseShelf } from '#vocabulary/response-shelf';
import type { KeptResponse, ResponseOwner, ResponseStore } from '#vocabulary/response-store';
import { createAbandoned, lostChange } from './abandoned.ts';
import { BackgroundRun } from './background-run.ts';
import { EventLog } from './event-log.ts';
import { createKeeping, type KeepingBounds } from './keeping.ts';
import { aliveMs, createShelf, unknownResponse } from './shelf.ts';

export interface ResponsesOptions extends KeepingBounds {
  readonly store: ResponseStore;
  readonly keepMs: number;
  readonly maxBodyBytes: number;
  /** So long other gateways have to go on with what one that died was writing; 0: there are none. */
  readonly heirsMs: number;
  /** Whether somebody is about to go on with this one. */
  readonly hasHeir: (id: string) => boolean;
  /** Does what one gateway at a time should do. Without it there is no other. */
  readonly once?: (duty: string, work: () => Promise<void>) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Responses {
  readonly shelf: ResponseShelf;
  /** Throws a refusal for whoever has too many under way. Disposing says that its work is over. */
  beginRun(owner: ResponseOwner, requestId: string): BackgroundRun & Disposable;
  /**
   * One that another process was writing until it died, with what is known of it. Undefined when somebody else has it, or
   * nobody wants it any more. Rejects when the database cannot be reached.
   */
  inheritRun(
    id: string,
    writerId: string,
    frames: readonly Buffer[],
    hasEnded: boolean,
  ): Promise<(BackgroundRun & Disposable) | 'written elsewhere' | undefined>;
  /** By which others know this process. */
  writerId(): string;
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
  const abandoned = createAbandoned(options);
  /** By the id of the response. */
  const runs = new Map<string, BackgroundRun>();
  const timers: NodeJS.Timeout[] = [];

  return {
    shelf: createShelf({
      keeping,
      keepMs: options.keepMs,
      maxBytes: options.maxBodyBytes,
      clock,
      runOf: (id) => runs.get(id),
    }),
    beginRun(owner, requestId) {
      const own = [...runs.values()].filter((run) => run.owner.id === owner.id).length;
      if (runs.size >= maxRuns || own >= maxRunsPerOwner) throw tooManyRuns(own);
      return enter(responseId(requestId), new BackgroundRun(owner));
    },
    async inheritRun(id, writerId, frames, hasEnded) {
      const kept = await store.takeOver(id, writerId);
      if (kept === undefined || kept === 'written elsewhere') return kept;
      const response = JSON.parse(kept.response) as JsonObject;
      const run = new BackgroundRun(kept.owner, { response, frames, hasEnded });
      const save = async (aliveUntil: number | undefined, events: string | undefined) => {
        if (!run.isForgotten && !run.isHandedOn)
          await keeping.save({ ...kept, aliveUntil, response: JSON.stringify(run.current), events });
      };
      run.onBegun = () => void save(clock.wallMs() + aliveMs, undefined);
      void run
        .whenOver()
        .then(() => save(undefined, run.log.text()))
        .then(() => run.kept());
      return enter(id, run);
    },
    writerId: () => store.writerId,
    async read(owner, id) {
      return findRun(owner.id, id)?.current ?? (await shown(await find(owner, id)));
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
        const response = await shown(await find(owner, id));
        if (response.background === true) return (await abandoned.cancel(id)) ?? response;
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
      endLost();
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      for (const run of runs.values()) run.cancellation.cancel('shutdown');
      const allOver = Promise.all([...runs.values()].map((run) => run.whenOver()));
      await Promise.race([allOver, pause(lastWordsMs, undefined, { ref: false })]);
      await keeping.settled();
    },
  };

  function enter(id: string, run: BackgroundRun): BackgroundRun & Disposable {
    runs.set(id, run);
    return Object.assign(run, { [Symbol.dispose]: () => void runs.delete(id) });
  }

  function findRun(ownerId: string, id: string): BackgroundRun | undefined {
    const run = runs.get(id);
    return run?.owner.id === ownerId && run.current.id === id && !run.isForgotten ? run : undefined;
  }

  async function find(owner: ResponseOwner, id: string): Promise<KeptResponse> {
    const kept = await keeping.find(owner.id, id);
    if (kept === undefined) throw unknownResponse(id);
    return kept;
  }

  /** After a night in which no gateway ran, somebody may still go on with it. */
  async function shown({ id, aliveUntil, response: text }: KeptResponse): Promise<JsonObject> {
    const response = JSON.parse(text) as JsonObject;
    const isLate = aliveUntil !== undefined && aliveUntil < clock.wallMs();
    return isLate && !(await abandoned.isAwaited(id)) ? { ...response, ...lostChange } : response;
  }

  function endLost(): void {
    abandoned
      .endLost()
      .catch((error: unknown) => logger.warn({ error }, 'lost responses could not be looked for'));
  }

  /** As long as somebody says so, a response is being written. */
  function renew(): void {
    endLost();
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
