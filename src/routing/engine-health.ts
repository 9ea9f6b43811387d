import type { EngineDefinition, ModelReplica } from '#vocabulary/catalogue';
import type { Clock, Timers } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import { createRecentOutcomes } from './recent-outcomes.ts';

export type Probe = (engine: EngineDefinition, replica: ModelReplica) => Promise<string | undefined>;

export interface EngineHealthOptions {
  readonly engineName: string;
  readonly probe: () => Promise<string | undefined>;
  readonly probeIntervalMs: number;
  /** Whether it answers anything at all, quickly. */
  readonly isAlive: () => Promise<boolean>;
  readonly onDead: () => void;
  readonly onRecovered: () => void;
  /** Its state or its recent failures are not what they were. */
  readonly onChanged: () => void;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

export interface EngineHealth {
  readonly state: 'healthy' | 'ejected' | 'untried';
  readonly reason: string | undefined;
  readonly ejections: number;
  /** It has answered, and nothing since makes one doubt that it would again. */
  readonly isWell: boolean;
  /** Put aside so lately that it may serve again and nobody has looked since. */
  readonly mayBeBack: boolean;
  succeeded(): void;
  failed(reason: string, memberId: string): void;
  /** It has work and says nothing. Harmless when called often. */
  suspect(): void;
  /** Failures among the last requests. */
  readonly recentFailures: number;
  /** Time until the next look at an ejected engine; 0 when it is in service. */
  recoveryMs(): number;
  stop(): void;
}

const failuresToGiveUp = 3;
const leastBetweenLooksMs = 1000;
const firstRetryMs = 1000;
const lastRetryMs = 30_000;
/** Looks at an engine that has been away for longer are too far apart for hope. */
const lastHopefulRetryMs = 4000;

/**
 * The truth about one engine, from the requests it serves and, when it is idle, doubtful or put aside, from tiny
 * generations. A failure makes it doubtful: some prompts fail on every engine, and one person's must
 * not take an engine from everybody, so only a failed generation of our own puts it aside, or failures of different
 * people that outweigh its successes. One success brings it back. A refusal of a request (4xx) is not a failure and
 * is never reported here.
 */
export function createEngineHealth(options: EngineHealthOptions): EngineHealth {
  const { clock, timers, logger, engineName } = options;
  let state: EngineHealth['state'] = 'untried';
  let reason: string | undefined;
  let failures = 0;
  let ejections = 0;
  let retryMs = firstRetryMs;
  let lastSuccessMs = -Infinity;
  let lastLookMs = -Infinity;
  let isDoubtful = false;
  let isAsking = false;
  const recent = createRecentOutcomes();
  let isLooking = false;
  let isStopped = false;
  let nextLookMs = clock.monotonicMs();
  let timer = timers.after(0, look);

  return {
    get state() {
      return state;
    },
    get reason() {
      return reason;
    },
    get ejections() {
      return ejections;
    },
    get isWell() {
      return state === 'healthy' && !isDoubtful;
    },
    get mayBeBack() {
      return state === 'ejected' && retryMs <= lastHopefulRetryMs;
    },
    get recentFailures() {
      return recent.failures;
    },
    succeeded,
    failed,
    suspect: () => void askWhetherAlive(),
    recoveryMs: () => (state === 'ejected' ? Math.max(0, nextLookMs - clock.monotonicMs()) : 0),
    stop() {
      isStopped = true;
      timer[Symbol.dispose]();
    },
  };

  function succeeded(): void {
    lastSuccessMs = clock.monotonicMs();
    recent.note(undefined);
    failures = 0;
    retryMs = firstRetryMs;
    const wasEjected = state === 'ejected';
    state = 'healthy';
    reason = undefined;
    options.onChanged();
    if (!wasEjected) return;
    logger.info({ engine: engineName }, 'engine is back in service');
    schedule(options.probeIntervalMs);
    options.onRecovered();
  }

  function failed(why: string, memberId: string): void {
    failures++;
    reason = why;
    recent.note(memberId);
    options.onChanged();
    if (state !== 'ejected' && recent.isBad) {
      putAside(why);
      schedule(retryMs);
      return;
    }
    if (state === 'ejected' || isDoubtful) return;
    isDoubtful = true;
    if (!isLooking) schedule(Math.max(0, lastLookMs + leastBetweenLooksMs - clock.monotonicMs()));
  }

  async function lookNow(): Promise<void> {
    const isQuiet = clock.monotonicMs() - lastSuccessMs >= options.probeIntervalMs;
    if (state === 'healthy' && !isDoubtful && !isQuiet) {
      schedule(options.probeIntervalMs);
      return;
    }
    isLooking = true;
    lastLookMs = clock.monotonicMs();
    const fault = await options.probe().catch((cause: unknown) => String(cause));
    isLooking = false;
    if (isStopped) return;
    if (fault === undefined) {
      isDoubtful = false;
      recent.forget();
      succeeded();
      schedule(options.probeIntervalMs);
      return;
    }
    failures++;
    reason = fault;
    const isGivenUp = isDoubtful || failures >= failuresToGiveUp || state === 'untried';
    if (state === 'ejected') retryMs = Math.min(lastRetryMs, retryMs * 2);
    else if (isGivenUp) putAside(fault);
    schedule(state === 'ejected' ? retryMs : firstRetryMs);
  }

  /** A process that is stopped still has its sockets: connections are taken and nothing is ever said. */
  async function askWhetherAlive(): Promise<void> {
    if (isAsking || state === 'ejected') return;
    isAsking = true;
    // One look can go wrong; two in a row do not.
    const isAlive = (await options.isAlive()) || (await options.isAlive());
    isAsking = false;
    if (isAlive || isStopped) return;
    reason = 'the engine does not answer any more';
    putAside(reason);
    schedule(retryMs);
    options.onDead();
  }

  function putAside(why: string): void {
    recent.forget();
    state = 'ejected';
    isDoubtful = false;
    ejections++;
    options.onChanged();
    logger.warn({ engine: engineName, reason: why }, 'engine put aside');
  }

  function look(): void {
    void lookNow();
  }

  function schedule(delayMs: number): void {
    if (isStopped) return;
    timer[Symbol.dispose]();
    nextLookMs = clock.monotonicMs() + delayMs;
    timer = timers.after(delayMs, look);
  }
}
