import type { Clock } from '#vocabulary/clock';

/** How much cost a pool works off per second, measured only while somebody waits: idle time says nothing. */
export interface PoolPace {
  /** Told whenever the line of the pool becomes empty or is not any more. */
  busy(isBusy: boolean): void;
  worked(cost: number): void;
  /** Undefined until it was busy for long enough to know. */
  perSecond(): number | undefined;
}

const windowMs = 10_000;
const leastMs = 250;

export function createPoolPace(clock: Clock): PoolPace {
  let busySinceMs: number | undefined;
  let cost = 0;
  let busyMs = 0;
  let known: number | undefined;

  return {
    busy(isBusy) {
      advance();
      busySinceMs = isBusy ? clock.monotonicMs() : undefined;
    },
    worked(amount) {
      if (busySinceMs === undefined) return;
      cost += amount;
      advance();
    },
    perSecond() {
      advance();
      if (busyMs < leastMs || cost <= 0) return known;
      return (cost / busyMs) * 1000;
    },
  };

  /** Older observations lose half of their weight with every window. */
  function advance(): void {
    if (busySinceMs === undefined) return;
    const now = clock.monotonicMs();
    busyMs += now - busySinceMs;
    busySinceMs = now;
    if (busyMs < windowMs) return;
    if (cost > 0) known = (cost / busyMs) * 1000;
    cost /= 2;
    busyMs /= 2;
  }
}
