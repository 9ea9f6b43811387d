import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { UsageStore } from '#vocabulary/stores';

const sweepEveryMs = 3_600_000;
/** Between two small steps: people come first. */
const restMs = 50;

/** Forgets single requests after a while, in the background and in small steps. What they add up to stays. */
export interface UsageRetention {
  start(): void;
  /** Resolves when the step under way is done. */
  stop(): Promise<void>;
}

export function createUsageRetention(parts: {
  readonly store: UsageStore;
  /** Undefined: for ever. */
  readonly keepMs: number | undefined;
  /** Does what one gateway at a time should do. */
  readonly once: (duty: string, work: () => Promise<void>) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}): UsageRetention {
  const { store, keepMs, once, clock, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let work: Promise<void> | undefined;

  async function sweep(olderThanMs: number): Promise<void> {
    let forgotten = 0;
    for (let some = 1; some > 0 && !signal.aborted; forgotten += some) {
      some = await store.forgetSome(clock.wallMs() - olderThanMs);
      await rested(restMs);
    }
    if (forgotten > 0) logger.info({ forgotten }, 'old usage records are forgotten; their sums stay');
  }

  async function repeat(olderThanMs: number): Promise<void> {
    do {
      await once('old usage', () => sweep(olderThanMs)).catch((error: unknown) =>
        logger.error({ error }, 'old usage records could not be forgotten'),
      );
    } while (await rested(sweepEveryMs));
  }

  /** False when the service stops meanwhile. */
  async function rested(ms: number): Promise<boolean> {
    return await pause(ms, true, { ref: false, signal }).catch(() => false);
  }

  return {
    start() {
      if (keepMs !== undefined) work ??= repeat(keepMs);
    },
    async stop() {
      stopping.abort();
      await work;
    },
  };
}
