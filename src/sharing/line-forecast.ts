import type { Clock } from '#vocabulary/clock';
import type { LinePlace } from '#vocabulary/sharing';
import type { FairOrder } from './fair-order.ts';
import type { MemberFlow, Waiter } from './flows.ts';
import type { PoolPace } from './pool-pace.ts';

export interface CostlyWaiter extends Waiter {
  readonly estimatedCost: number;
}

/** Where everybody in a pool's line stands. Made anew at most once in a while: it looks at everybody. */
export interface LineForecast<W extends CostlyWaiter> {
  placeOf(waiter: W): LinePlace | undefined;
  /** For one who would come now and stand at the end. */
  secondsFor(cost: number): number;
}

const freshMs = 500;
/** While nothing is known about the pace of a pool. */
const assumedSecondsPerPlace = 2;
const longestSeconds = 3600;

export function createLineForecast<W extends CostlyWaiter>(
  order: FairOrder<W>,
  pace: PoolPace,
  clock: Clock,
): LineForecast<W> {
  let places = new Map<W, { readonly place: number; readonly costAhead: number }>();
  let madeMs = -Infinity;

  return {
    placeOf(waiter) {
      // A long line is looked through less often, so that looking stays a small part of the work.
      const staleMs = Math.max(freshMs, order.size / 2);
      if (clock.monotonicMs() - madeMs > staleMs) {
        places = placesIn(order);
        madeMs = clock.monotonicMs();
      }
      const found = places.get(waiter);
      return found === undefined
        ? undefined
        : { place: found.place, seconds: inSeconds(found.costAhead, found.place) };
    },
    secondsFor: (cost) => inSeconds(cost, order.size + 1),
  };

  function inSeconds(costAhead: number, place: number): number {
    const perSecond = pace.perSecond();
    const seconds = perSecond === undefined ? place * assumedSecondsPerPlace : costAhead / perSecond;
    return Math.min(longestSeconds, Math.max(1, Math.ceil(seconds)));
  }
}

/**
 * The order in which everybody would be served if nobody else came: each member's requests one after the other, the
 * members of a project by what they will have spent, the projects likewise.
 */
function placesIn<W extends CostlyWaiter>(
  order: FairOrder<W>,
): Map<W, { readonly place: number; readonly costAhead: number }> {
  const byProject = new Map<MemberFlow<W>['project'], { waiter: W; rank: number }[]>();
  for (const member of order.members()) {
    if (member.waiting === 0) continue;
    const turns = byProject.get(member.project) ?? [];
    byProject.set(member.project, turns);
    const waiters = [...member.nodes.values()].flatMap((node) => node.waiters.all());
    let rank = member.spent;
    for (const waiter of waiters.sort((a, b) => a.arrival - b.arrival)) {
      turns.push({ waiter, rank });
      rank += waiter.estimatedCost;
    }
  }
  const all: { waiter: W; rank: number; lane: number }[] = [];
  for (const [project, turns] of byProject) {
    let rank = project.spent;
    for (const { waiter } of turns.sort((a, b) => a.rank - b.rank)) {
      all.push({ waiter, rank, lane: project.lane.name === 'interactive' ? 0 : 1 });
      rank += waiter.estimatedCost / project.weight;
    }
  }
  all.sort((a, b) => a.lane - b.lane || a.rank - b.rank);
  const places = new Map<W, { place: number; costAhead: number }>();
  let costAhead = 0;
  for (const [index, { waiter }] of all.entries()) {
    costAhead += waiter.estimatedCost;
    places.set(waiter, { place: index + 1, costAhead });
  }
  return places;
}
