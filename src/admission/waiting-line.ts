import type { Clock } from '#vocabulary/clock';
import type { ParsedRequest, Route } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import { sentFromLine } from './sent-from-line.ts';

/** Hands out routes in some order. A fair queue can take the place of a first-come line. */
export interface Line {
  /** Rejects with a refusal when the line is full, the wait too long or no engine can serve. */
  enter(request: ParsedRequest): Promise<Route>;
  /** By model. */
  waiting(): ReadonlyMap<string, number>;
}

export interface RouteSource {
  /** A place at an engine now, or why there is none: everything is taken, or nothing is fit to serve. */
  takeRoute(request: ParsedRequest): Route | 'busy' | 'unavailable';
  onPlaceFreed(listener: () => void): void;
  /** Seconds until a model without a fit engine is worth another try. */
  recoverySeconds(modelId: string): number;
}

export interface WaitingLineOptions {
  readonly routes: RouteSource;
  /** Bound of the line of each model; whoever comes when it is full is refused. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  readonly clock: Clock;
}

/** First come, first served, one line per model. A caller who leaves gives up the place. */
export function createWaitingLine(options: WaitingLineOptions): Line {
  const { routes, clock } = options;
  const lines = new Map<string, Waiter[]>();
  const pace = createPace(clock);
  let waiting = 0;
  routes.onPlaceFreed(serveNext);

  return {
    waiting: () => new Map([...lines].map(([modelId, line]) => [modelId, line.length])),
    async enter(request) {
      const modelId = request.model.id;
      const line = lines.get(modelId);
      if (line === undefined || line.length === 0) {
        const route = routes.takeRoute(request);
        if (route === 'unavailable') throw unavailable(modelId);
        if (route !== 'busy') return counted(route);
      }
      const length = line?.length ?? 0;
      if (length >= options.maxWaiting) throw full(length);
      return counted(await wait(request, modelId));
    },
  };

  function wait(request: ParsedRequest, modelId: string): Promise<Route> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { request, grant: settle(resolve), refuse: settle(reject) };
      const tooLong = setTimeout(() => {
        waiter.refuse(
          new Refusal(
            'queue_full',
            `No engine became free for \`${modelId}\` within ${Math.round(options.maxWaitMs / 1000)} seconds. Try again later.`,
            { retryAfterSeconds: pace.secondsFor(waiting) },
          ),
        );
      }, options.maxWaitMs);
      const forget = request.exchange.cancellation.onCancel((reason) => waiter.refuse(sentFromLine(reason)));
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
        const route = routes.takeRoute(head.request);
        if (route === 'busy') break;
        if (route === 'unavailable') head.refuse(unavailable(modelId));
        else head.grant(route);
      }
      if (line.length === 0) lines.delete(modelId);
    }
  }

  function counted(route: Route): Route {
    pace.turnTaken();
    return route;
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
      { retryAfterSeconds: routes.recoverySeconds(modelId) },
    );
  }
}

interface Waiter {
  readonly request: ParsedRequest;
  readonly grant: (route: Route) => void;
  readonly refuse: (refusal: Refusal) => void;
}

/** How fast the line moves, from the last turns taken, so that `Retry-After` is true. Remembers 32 turns. */
function createPace(clock: Clock): { turnTaken(): void; secondsFor(places: number): number } {
  const turns: number[] = [];
  return {
    turnTaken() {
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
