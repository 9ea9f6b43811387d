import type { Routing } from '#routing';
import type { ParsedRequest, Turn } from '#vocabulary/inference';
import type { Line } from './simulated-gateway.ts';
import type { World } from './world.ts';

/**
 * Orders to compare with: first come, first served; members in turn, and engines too, whatever they hold; whoever's
 * prompt is held the most.
 */
export type PlainOrder = 'first-come' | 'round-robin' | 'longest-prefix';

interface Waiting {
  readonly request: ParsedRequest;
  readonly askedMs: number;
  take(turn: Turn): void;
}

/** One line for all, in front of the product's routing. */
export function plainLine(order: PlainOrder): (world: World, routing: Routing) => Line {
  return ({ time }, routing) => {
    let waiting: Waiting[] = [];
    const lastTurns = new Map<string, number>();
    let turns = 0;
    routing.onPlaceFreed(serve);
    return {
      takeTurn: (request) =>
        new Promise((resolve) => {
          waiting.push({ request, askedMs: time.monotonicMs(), take: resolve });
          serve();
        }),
      waiting: () => new Map([['all', waiting.length]]),
      stop: () => {},
    };

    function serve(): void {
      for (let next = nextOf(); next !== undefined; next = nextOf()) {
        const { request, askedMs, take } = next;
        const route = routing.takeRoute(order === 'round-robin' ? withoutBeginning(request) : request, 0);
        if (route === 'busy' || route === 'unavailable') return;
        waiting = waiting.filter((each) => each !== next);
        lastTurns.set(request.share.memberId, turns++);
        take({
          route,
          waitMs: time.monotonicMs() - askedMs,
          cost: 0,
          settle: () => {},
          [Symbol.dispose]: () => route[Symbol.dispose](),
        });
      }
    }

    function nextOf(): Waiting | undefined {
      const [first] = waiting;
      if (first === undefined || order === 'first-come') return first;
      const rank =
        order === 'round-robin'
          ? ({ request }: Waiting) => lastTurns.get(request.share.memberId) ?? -1
          : ({ request }: Waiting) => -heldBytes(routing, request);
      let best = first;
      let least = rank(first);
      for (const each of waiting) {
        const its = rank(each);
        if (its < least) [best, least] = [each, its];
      }
      return best;
    }
  };
}

function heldBytes(routing: Routing, request: ParsedRequest): number {
  let holder = routing.holderOf(request);
  while (holder !== undefined && holder.station.free < request.sequences) holder = holder.next;
  return holder?.bytes ?? 0;
}

/** Nothing by which an engine that holds the prompt could be found. */
function withoutBeginning(request: ParsedRequest): ParsedRequest {
  return { ...request, envelope: { body: request.envelope.body, fields: new Map() } };
}
