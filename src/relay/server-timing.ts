import type { Clock } from '#vocabulary/clock';
import type { Route } from '#vocabulary/inference';

/** Where the time until the first byte went: in the gateway itself, in the line, in the engine. */
export interface Timing {
  readonly overheadMs: number;
  /** As the `Server-Timing` header. */
  readonly header: string;
}

export function measureTiming(route: Route, engineMs: number, clock: Clock): Timing {
  const { waitMs, arrival } = route.ticket;
  const totalMs = clock.monotonicMs() - arrival.visit.exchange.startedMs;
  const overheadMs = Math.max(0, totalMs - waitMs - engineMs);
  return {
    overheadMs,
    header: `gate;dur=${overheadMs.toFixed(2)}, line;dur=${waitMs.toFixed(2)}, engine;dur=${engineMs.toFixed(2)}`,
  };
}
