import type { Clock } from '#vocabulary/clock';
import type { Arrival, Seat } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import { sentFromLine } from './sent-from-line.ts';

/** Hands out seats in some order. A fair queue can take the place of a first-come line. */
export interface Line {
  /** Rejects with a refusal when the line is full, the wait too long or no engine can serve. */
  enter(arrival: Arrival): Promise<Seat>;
  /** By model. */
  waiting(): ReadonlyMap<string, number>;
}

export interface SeatSource {
  /** A seat now, or why there is none: everything is taken, or nothing is fit to serve. */
  takeSeat(modelId: string): Seat | 'busy' | 'unavailable';
  onSeatFreed(listener: () => void): void;
  /** Seconds until a model without a fit engine is worth another try. */
  recoverySeconds(modelId: string): number;
}

export interface WaitingLineOptions {
  readonly seats: SeatSource;
  /** Bound of the line of each model; whoever comes when it is full is refused. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  readonly clock: Clock;
}

/** First come, first served, one line per model. A caller who leaves gives up the place. */
export function createWaitingLine(options: WaitingLineOptions): Line {
  const { seats, clock } = options;
  const lines = new Map<string, Waiter[]>();
  const pace = createPace(clock);
  let waiting = 0;
  seats.onSeatFreed(serveNext);

  return {
    waiting: () => new Map([...lines].map(([modelId, line]) => [modelId, line.length])),
    async enter(arrival) {
      const modelId = arrival.model.id;
      const line = lines.get(modelId);
      if (line === undefined || line.length === 0) {
        const seat = seats.takeSeat(modelId);
        if (seat === 'unavailable') throw unavailable(modelId);
        if (seat !== 'busy') return counted(seat);
      }
      const length = line?.length ?? 0;
      if (length >= options.maxWaiting) throw full(length);
      return counted(await wait(arrival, modelId));
    },
  };

  function wait(arrival: Arrival, modelId: string): Promise<Seat> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { grant: settle(resolve), refuse: settle(reject) };
      const tooLong = setTimeout(() => {
        waiter.refuse(
          new Refusal(
            'queue_full',
            `No engine became free for \`${modelId}\` within ${Math.round(options.maxWaitMs / 1000)} seconds. Try again later.`,
            { retryAfterSeconds: pace.secondsFor(waiting) },
          ),
        );
      }, options.maxWaitMs);
      const forget = arrival.visit.exchange.departure.onLeave((reason) =>
        waiter.refuse(sentFromLine(reason)),
      );
      const line = lines.get(modelId) ?? [];
      lines.set(modelId, line);
      line.push(waiter);
      waiting++;

      function settle<T>(then: (value: T) => void): (value: T) => void {
        return (value) => {
          const place = lines.get(modelId)?.indexOf(waiter) ?? -1;
          if (place < 0) return;
          lines.get(modelId)?.splice(place, 1);
          waiting--;
          clearTimeout(tooLong);
          forget();
          then(value);
        };
      }
    });
  }

  function serveNext(): void {
    for (const [modelId, line] of lines) {
      for (let head = line[0]; head !== undefined; head = line[0]) {
        const seat = seats.takeSeat(modelId);
        if (seat === 'busy') break;
        if (seat === 'unavailable') head.refuse(unavailable(modelId));
        else head.grant(seat);
      }
      if (line.length === 0) lines.delete(modelId);
    }
  }

  function counted(seat: Seat): Seat {
    pace.seatTaken();
    return seat;
  }

  function full(length: number): Refusal {
    return new Refusal(
      'queue_full',
      `The service is busy: ${length} requests are waiting for this model. Try again after the time in Retry-After.`,
      { retryAfterSeconds: pace.secondsFor(length) },
    );
  }

  function unavailable(modelId: string): Refusal {
    return new Refusal(
      'engine_unavailable',
      `The engine of \`${modelId}\` is not answering at the moment. Try again after the time in Retry-After.`,
      { retryAfterSeconds: seats.recoverySeconds(modelId) },
    );
  }
}

interface Waiter {
  readonly grant: (seat: Seat) => void;
  readonly refuse: (refusal: Refusal) => void;
}

/** How fast the line moves, from the last turns taken, so that `Retry-After` is true. Remembers 32 turns. */
function createPace(clock: Clock): { seatTaken(): void; secondsFor(places: number): number } {
  const turns: number[] = [];
  return {
    seatTaken() {
      turns.push(clock.monotonicMs());
      if (turns.length > 32) turns.shift();
    },
    secondsFor(places) {
      const first = turns[0];
      if (first === undefined || turns.length < 2) return 2;
      const secondsPerTurn = (clock.monotonicMs() - first) / 1000 / turns.length;
      return Math.min(60, Math.max(1, Math.ceil(secondsPerTurn * places)));
    },
  };
}
