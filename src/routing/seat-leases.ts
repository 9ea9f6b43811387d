import { isObject } from '#dialects/json-object';
import type { EngineDefinition } from '#vocabulary/catalogue';
import { type Demand, fairParts } from '#vocabulary/fair-parts';
import type { Peers, Topic } from '#vocabulary/peers';
import type { Station } from './station.ts';

/** Who waits here for a place at an engine. */
export interface SeatDemand {
  /** Places that they need together. */
  readonly places: number;
  readonly members: number;
}

/** What a gateway tells of one engine. */
interface ToldSeats {
  /** Places that it uses or may take without asking. */
  readonly held: number;
  readonly used: number;
  readonly waiting: number;
  readonly members: number;
  /** So many at once for somebody for whom the engine is emptied; 1 for everybody else. */
  readonly unit: number;
  readonly hunger: number;
  /** Places that the engine has, as far as this gateway can tell. */
  readonly seats: number;
  /** It takes nobody new, and needs no place for whoever comes next. */
  readonly isLeaving?: boolean;
}

interface Lease {
  /** Whoever has not yet heard the others asks for nothing. */
  hasHeard: boolean;
  /** What this gateway has told that it would like to hold. */
  asked: number;
  hunger: number;
  others: ReadonlyMap<string, ToldSeats>;
}

const nobody: SeatDemand = { places: 0, members: 0 };
/** Before somebody for whom an engine is being emptied, nobody is asked. */
const claimantHunger = 1e9;

/**
 * The places of an engine that several gateways share are leased to them by demand: every gateway that has somebody
 * waiting gets places in turn, as many as members wait there, and the rest is shared out evenly. A gateway gives places
 * up before it says so and takes some only after it has said so and heard the others, so that they never take more
 * together than there are. A gateway that is not heard any more holds none, and one that finishes its last answers
 * only those.
 */
export function createSeatLeases(parts: {
  readonly peers: Peers;
  readonly ownId: () => string;
  readonly stations: () => Iterable<Station>;
  /** By which name the gateways know an engine that they share; undefined for one that is nobody else's. */
  readonly sharedName: (engine: EngineDefinition) => string | undefined;
  /** By engine. */
  readonly demands: () => ReadonlyMap<string, SeatDemand>;
  /** There may be room where there was none. */
  readonly onRoom: () => void;
}): Topic & { missed(): void; leave(): void } {
  const { peers } = parts;
  const leases = new Map<string, Lease>();
  let hasToldDemand = false;
  let isLeaving = false;

  return {
    name: 'seats/1',
    tell() {
      hasToldDemand = false;
      const demands = parts.demands();
      return Object.fromEntries(
        shared().map(([name, station]) => {
          const lease = leaseOf(name);
          const own = ownSeats(lease, station, demands);
          lease.asked = lease.hasHeard ? partOf(lease, own) : 0;
          if (lease.others.size > 0) station.lease = Math.min(station.lease, lease.asked);
          lease.hunger = own.waiting > 0 && own.used === 0 ? lease.hunger + 1 : 0;
          hasToldDemand ||= own.waiting > 0;
          return [name, { ...own, held: Math.max(own.used, lease.asked) }];
        }),
      );
    },
    hear(told) {
      let isMore = false;
      let isWanting = false;
      const names = new Set<string>();
      const demands = parts.demands();
      for (const [name, station] of shared()) {
        names.add(name);
        const lease = leaseOf(name);
        const wasAlone = lease.others.size === 0;
        lease.others = othersAt(name, told);
        const before = station.lease;
        const own = ownSeats(lease, station, demands);
        lease.hasHeard = true;
        if (lease.others.size === 0) station.lease = Infinity;
        else {
          const free = seatsOf(lease, own) - sum([...lease.others.values()].map(({ held }) => held));
          const kept = wasAlone ? 0 : station.lease;
          station.lease = Math.max(kept, Math.min(lease.asked, free));
          isWanting ||= own.waiting > 0 && partOf(lease, own) > station.lease;
        }
        isMore ||= station.lease > before;
      }
      for (const name of leases.keys()) if (!names.has(name)) leases.delete(name);
      if (isMore) parts.onRoom();
      if (isWanting) peers.hurry();
    },
    /** What was leased last, and the even part at least: nobody may wait for a gateway that nobody hears. */
    lose() {
      for (const [name, station] of shared()) {
        const lease = leaseOf(name);
        if (lease.others.size === 0) continue;
        const even = Math.ceil(station.tunedSeats / (lease.others.size + 1));
        station.lease = Math.max(station.lease, even);
      }
      parts.onRoom();
    },
    /** Somebody did not get a place; the others hear of it at once. */
    missed() {
      if (peers.count > 0 && !hasToldDemand) peers.hurry();
    },
    leave() {
      isLeaving = true;
      if (peers.count > 0) peers.hurry();
    },
  };

  function shared(): [string, Station][] {
    const found: [string, Station][] = [];
    for (const station of parts.stations()) {
      const name = parts.sharedName(station.definition);
      if (name !== undefined) found.push([name, station]);
    }
    return found;
  }

  function leaseOf(name: string): Lease {
    let lease = leases.get(name);
    if (lease === undefined) {
      lease = { hasHeard: false, asked: 0, hunger: 0, others: new Map() };
      leases.set(name, lease);
    }
    return lease;
  }

  function ownSeats(
    { hunger }: Lease,
    station: Station,
    demands: ReadonlyMap<string, SeatDemand>,
  ): ToldSeats {
    const { places, members } = demands.get(station.definition.name) ?? nobody;
    const claimed = station.claimedBy?.sequences;
    return {
      held: station.outstanding,
      used: station.outstanding,
      waiting: places,
      members,
      unit: claimed ?? 1,
      hunger: claimed === undefined ? hunger : claimantHunger,
      seats: station.tunedSeats,
      ...(isLeaving && { isLeaving }),
    };
  }

  function partOf(lease: Lease, own: ToldSeats): number {
    const all = [[parts.ownId(), own] as const, ...lease.others];
    return fairParts(seatsOf(lease, own), all.map(toDemand)).get(parts.ownId()) ?? 0;
  }
}

function toDemand([gatewayId, told]: readonly [string, ToldSeats]): Demand {
  const { used, waiting, members, unit, hunger, isLeaving = false } = told;
  return { gatewayId, wanted: used + waiting, unit, weight: Math.max(1, members), hunger, isLeaving };
}

/** The one who has seen the engine struggle knows best. */
function seatsOf({ others }: Lease, own: ToldSeats): number {
  return Math.min(own.seats, ...[...others.values()].map(({ seats }) => seats));
}

function othersAt(name: string, told: ReadonlyMap<string, unknown>): ReadonlyMap<string, ToldSeats> {
  const others = new Map<string, ToldSeats>();
  for (const [gatewayId, engines] of told) {
    const seats = isObject(engines) ? engines[name] : undefined;
    if (isToldSeats(seats)) others.set(gatewayId, seats);
  }
  return others;
}

const fields = ['held', 'used', 'waiting', 'members', 'unit', 'hunger', 'seats'] as const;

function isToldSeats(value: unknown): value is ToldSeats {
  return isObject(value) && fields.every((field) => Number.isFinite(value[field]));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
