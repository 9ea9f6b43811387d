import { type Demand, fairParts } from '#vocabulary/fair-parts';
import type { Peers } from '#vocabulary/peers';

/** How much one member has in one line of one gateway. */
export interface Crowd {
  /** The line, the lane, the project and the member. */
  readonly name: string;
  readonly waiting: number;
  /** Places taken. */
  readonly running: number;
}

/**
 * What the members have waiting and running at the other gateways, so that what one of them may have holds for all
 * gateways together. As late as the news are: what came meanwhile at several of them may be too much by that.
 */
export interface CrowdNews {
  /** False where nobody else has anything of anybody: then there is nothing to ask. */
  readonly hasOthers: boolean;
  /** Requests of theirs that wait elsewhere. */
  waitingElsewhere(name: string): number;
  /** Whether one more may run here, of so many everywhere, when it may for this gateway alone. */
  mayRun(own: Crowd, most: number): boolean;
  /** From now on the others hear of these; `changed` is called when they have told something new. */
  tell(crowds: () => Iterable<Crowd>, changed: () => void): void;
}

/** A gateway without others. */
export const noCrowdElsewhere: CrowdNews = {
  hasOthers: false,
  waitingElsewhere: () => 0,
  mayRun: () => true,
  tell() {},
};

/** Members that are told, those with the most first: about 100 KB. */
const maxTold = 1000;
/** Whoever has one answer running and nothing waiting is told of by nobody: most members, most of the time. */
const leastTold = 2;

export function shareCrowds(peers: Peers, ownId: () => string): CrowdNews {
  let ownCrowds: () => Iterable<Crowd> = () => [];
  let changed: () => void = () => {};
  /** By member, then by gateway. */
  let elsewhere = new Map<string, Map<string, Crowd>>();

  peers.join({
    name: 'crowds/1',
    tell() {
      const all = [...ownCrowds()].filter(({ waiting, running }) => waiting > 0 || running >= leastTold);
      if (all.length > maxTold) all.sort((one, other) => sizeOf(other) - sizeOf(one));
      return all.slice(0, maxTold).map(({ name, waiting, running }) => [name, waiting, running]);
    },
    hear(told) {
      const isNews = elsewhere.size > 0;
      elsewhere = new Map();
      for (const [gatewayId, value] of told)
        for (const crowd of readCrowds(value)) {
          const byGateway = elsewhere.get(crowd.name) ?? new Map<string, Crowd>();
          elsewhere.set(crowd.name, byGateway.set(gatewayId, crowd));
        }
      if (isNews || elsewhere.size > 0) changed();
    },
    /** Then each counts for itself. */
    lose() {
      elsewhere = new Map();
      changed();
    },
  });

  return {
    get hasOthers() {
      return elsewhere.size > 0;
    },
    waitingElsewhere: (name) => sum(elsewhere.get(name), ({ waiting }) => waiting),
    mayRun(own, most) {
      const others = elsewhere.get(own.name);
      if (others === undefined) return true;
      if (own.running + sum(others, ({ running }) => running) >= most) return false;
      // One more than waits: whoever asks may not stand in the line yet.
      const wanted = sizeOf(own) + 1;
      if (wanted + sum(others, sizeOf) <= most) return true;
      const demands = [...others].map(([gatewayId, crowd]) => demandOf(gatewayId, sizeOf(crowd)));
      return own.running < (fairParts(most, [...demands, demandOf(ownId(), wanted)]).get(ownId()) ?? 0);
    },
    tell(crowds, listener) {
      ownCrowds = crowds;
      changed = listener;
    },
  };
}

const sizeOf = ({ waiting, running }: Crowd) => waiting + running;

function demandOf(gatewayId: string, wanted: number): Demand {
  return { gatewayId, wanted, unit: 1, weight: 1, hunger: 0 };
}

function sum(crowds: ReadonlyMap<string, Crowd> | undefined, count: (crowd: Crowd) => number): number {
  let total = 0;
  for (const crowd of crowds?.values() ?? []) total += count(crowd);
  return total;
}

/** What is no crowd is passed over: a gateway of another version may have told it. */
function readCrowds(value: unknown): Crowd[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    if (!Array.isArray(each)) return [];
    const [name, waiting, running] = each as unknown[];
    const isCrowd =
      typeof name === 'string' && Number.isSafeInteger(waiting) && Number.isSafeInteger(running);
    return isCrowd ? [{ name, waiting: Number(waiting), running: Number(running) }] : [];
  });
}
