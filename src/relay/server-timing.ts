import type { Clock } from '#vocabulary/clock';
import type { ParsedRequest } from '#vocabulary/inference';

/** Where the time until the first byte went: in the gateway itself, in the line, in the engine. */
export interface Timing {
  readonly overheadMs: number;
  /** As the `Server-Timing` header. */
  readonly header: string;
}

export function measureTiming(
  request: ParsedRequest,
  waitMs: number,
  engineMs: number,
  clock: Clock,
): Timing {
  const totalMs = clock.monotonicMs() - request.exchange.startedMs;
  const overheadMs = Math.max(0, totalMs - waitMs - engineMs);
  return {
    overheadMs,
    header: `gate;dur=${overheadMs.toFixed(2)}, line;dur=${waitMs.toFixed(2)}, engine;dur=${engineMs.toFixed(2)}`,
  };
}
