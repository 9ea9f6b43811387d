import type { EngineDefinition, ModelReplica } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';

export type Probe = (engine: EngineDefinition, replica: ModelReplica) => Promise<string | undefined>;

export interface EngineHealthOptions {
  readonly engineName: string;
  readonly probe: () => Promise<string | undefined>;
  readonly probeIntervalMs: number;
  readonly onRecovered: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface EngineHealth {
  readonly state: 'healthy' | 'ejected' | 'untried';
  readonly reason: string | undefined;
  readonly ejections: number;
  succeeded(): void;
  failed(reason: string): void;
  /** Time until the next look at an ejected engine; 0 when it is in service. */
  recoveryMs(): number;
  stop(): void;
}

const FAILURES_TO_DOUBT = 3;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

/**
 * The truth about one engine, from the requests it serves and, when it is idle, doubtful or put aside, from tiny
 * generations. Three failures in a row make it doubtful: some prompts fail on every engine, and one person's must
 * not take an engine from everybody, so only a failed generation of our own puts it aside. One success brings it
 * back. A refusal of a request (4xx) is not a failure and is never reported here.
 */
export function createEngineHealth(options: EngineHealthOptions): EngineHealth {
  const { clock, logger, engineName } = options;
  let state: EngineHealth['state'] = 'untried';
  let reason: string | undefined;
  let failures = 0;
  let ejections = 0;
  let retryMs = FIRST_RETRY_MS;
  let lastSuccessMs = -Infinity;
  let isDoubtful = false;
  let isLooking = false;
  let isStopped = false;
  let nextLookMs = clock.monotonicMs();
  let timer = setTimeout(look, 0);
  timer.unref();

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
    succeeded,
    failed,
    recoveryMs: () => (state === 'ejected' ? Math.max(0, nextLookMs - clock.monotonicMs()) : 0),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };

  function succeeded(): void {
    lastSuccessMs = clock.monotonicMs();
    failures = 0;
    retryMs = FIRST_RETRY_MS;
    const wasEjected = state === 'ejected';
    state = 'healthy';
    reason = undefined;
    if (!wasEjected) return;
    logger.info({ engine: engineName }, 'engine is back in service');
    schedule(options.probeIntervalMs);
    options.onRecovered();
  }

  function failed(why: string): void {
    failures++;
    reason = why;
    if (state === 'ejected' || isDoubtful || (failures < FAILURES_TO_DOUBT && state === 'healthy')) return;
    isDoubtful = true;
    if (!isLooking) schedule(0);
  }

  async function lookNow(): Promise<void> {
    const isQuiet = clock.monotonicMs() - lastSuccessMs >= options.probeIntervalMs;
    if (state === 'healthy' && !isDoubtful && !isQuiet) {
      schedule(options.probeIntervalMs);
      return;
    }
    isLooking = true;
    const fault = await options.probe().catch((cause: unknown) => String(cause));
    isLooking = false;
    if (isStopped) return;
    if (fault === undefined) {
      isDoubtful = false;
      succeeded();
      schedule(options.probeIntervalMs);
      return;
    }
    failures++;
    reason = fault;
    const isGivenUp = isDoubtful || failures >= FAILURES_TO_DOUBT || state === 'untried';
    if (state === 'ejected') retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
    else if (isGivenUp) putAside(fault);
    schedule(state === 'ejected' ? retryMs : FIRST_RETRY_MS);
  }

  function putAside(why: string): void {
    state = 'ejected';
    isDoubtful = false;
    ejections++;
    logger.warn({ engine: engineName, reason: why }, 'engine put aside');
  }

  function look(): void {
    void lookNow();
  }

  function schedule(delayMs: number): void {
    if (isStopped) return;
    clearTimeout(timer);
    nextLookMs = clock.monotonicMs() + delayMs;
    timer = setTimeout(look, delayMs);
    timer.unref();
  }
}
