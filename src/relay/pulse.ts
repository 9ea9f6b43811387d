import type { Arrival } from '#vocabulary/inference';
import { Roster, type RosterEntry } from '#vocabulary/roster';
import { streamHeaders } from './reply-headers.ts';

/** One waiting stream. Whoever writes to it says so; that is all it costs. */
export interface Beat extends Disposable {
  /** Counts up with every write. */
  writes: number;
  /** Set while the reader takes nothing. */
  isStalled: boolean;
}

const TICK_MS = 1000;

/** One timer for all open streams, instead of one each. Holds as many beats as there are requests in flight. */
export function createPulse(options: { readonly heartbeatMs: number; readonly slowReaderMs: number }): {
  start(arrival: Arrival): Beat;
  stop(): void;
} {
  const beats = new Roster<KeptBeat>();
  const tickMs = Math.min(TICK_MS, options.heartbeatMs, options.slowReaderMs);
  const timer = setInterval(tick, tickMs);
  timer.unref();

  return {
    start: (arrival) => new KeptBeat(arrival, beats),
    stop: () => clearInterval(timer),
  };

  function tick(): void {
    for (const beat of beats.members()) {
      cutOffStalled(beat);
      sendHeartbeat(beat);
    }
  }

  function cutOffStalled(beat: KeptBeat): void {
    beat.stalledTicks = beat.isStalled ? beat.stalledTicks + 1 : 0;
    if (beat.stalledTicks * tickMs >= options.slowReaderMs)
      beat.arrival.visit.exchange.departure.leave('caller-left');
  }

  function sendHeartbeat(beat: KeptBeat): void {
    const { arrival } = beat;
    if (!arrival.wantsStream || beat.isStalled) return;
    if (beat.writes !== beat.seenWrites) {
      beat.seenWrites = beat.writes;
      beat.quietTicks = 0;
      return;
    }
    beat.quietTicks++;
    if (beat.quietTicks * tickMs < options.heartbeatMs) return;
    beat.quietTicks = 0;
    const { reply } = arrival.visit.exchange;
    if (reply.hasEnded) return;
    if (!reply.hasBegun) reply.begin(200, streamHeaders(undefined));
    reply.write(': keep-alive\n\n');
  }
}

class KeptBeat implements Beat {
  readonly arrival: Arrival;
  readonly #beats: Roster<KeptBeat>;
  readonly #entry: RosterEntry;
  writes = 0;
  isStalled = false;
  seenWrites = 0;
  quietTicks = 0;
  stalledTicks = 0;

  constructor(arrival: Arrival, beats: Roster<KeptBeat>) {
    this.arrival = arrival;
    this.#beats = beats;
    this.#entry = beats.add(this);
  }

  [Symbol.dispose](): void {
    this.#beats.remove(this.#entry);
  }
}
