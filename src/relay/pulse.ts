import type { Arrival } from '#vocabulary/inference';
import { streamHeaders } from './reply-headers.ts';

/** One waiting stream. Whoever writes to it says so; that is all it costs. */
export interface Beat extends Disposable {
  /** Counts up with every write. */
  writes: number;
  /** Set while the reader takes nothing. */
  isStalled: boolean;
}

interface Entry extends Beat {
  readonly arrival: Arrival;
  seenWrites: number;
  quietTicks: number;
  stalledTicks: number;
}

const TICK_MS = 1000;

/** One timer for all open streams, instead of one each. Holds as many entries as there are requests in flight. */
export function createPulse(options: { readonly heartbeatMs: number; readonly slowReaderMs: number }): {
  start(arrival: Arrival): Beat;
  stop(): void;
} {
  const entries = new Set<Entry>();
  const tickMs = Math.min(TICK_MS, options.heartbeatMs, options.slowReaderMs);
  const timer = setInterval(tick, tickMs);
  timer.unref();

  return {
    start(arrival) {
      const entry: Entry = {
        arrival,
        writes: 0,
        isStalled: false,
        seenWrites: 0,
        quietTicks: 0,
        stalledTicks: 0,
        [Symbol.dispose]: () => void entries.delete(entry),
      };
      entries.add(entry);
      return entry;
    },
    stop: () => clearInterval(timer),
  };

  function tick(): void {
    for (const entry of entries) {
      cutOffStalled(entry);
      sendHeartbeat(entry);
    }
  }

  function cutOffStalled(entry: Entry): void {
    entry.stalledTicks = entry.isStalled ? entry.stalledTicks + 1 : 0;
    if (entry.stalledTicks * tickMs >= options.slowReaderMs)
      entry.arrival.visit.exchange.departure.leave('caller-left');
  }

  function sendHeartbeat(entry: Entry): void {
    const { arrival } = entry;
    if (!arrival.wantsStream || entry.isStalled) return;
    if (entry.writes !== entry.seenWrites) {
      entry.seenWrites = entry.writes;
      entry.quietTicks = 0;
      return;
    }
    entry.quietTicks++;
    if (entry.quietTicks * tickMs < options.heartbeatMs) return;
    entry.quietTicks = 0;
    const { reply } = arrival.visit.exchange;
    if (reply.hasEnded) return;
    if (!reply.hasBegun) reply.begin(200, streamHeaders(undefined));
    reply.write(': keep-alive\n\n');
  }
}
