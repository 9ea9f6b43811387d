import { type HeapNode, IndexedHeap } from '#vocabulary/indexed-heap';
import type { ParsedRequest } from '#vocabulary/inference';
import type { PrefixMemory } from './prefix-memory.ts';
import type { Station } from './station.ts';

/** Of every eight places at most one is kept for those who may come back, and never more than a few in all. */
const placesPerKept = 8;
const maxKept = 4;

/** A station and what was last counted of it. */
interface Desk extends HeapNode {
  readonly station: Station;
  load: number;
  seats: number;
  free: number;
  isFit: boolean;
}

/** The engines of one model, or of several that have the same ones. Counts along with every change, so that a choice does not look through all of them. */
export class StationGroup {
  readonly stations: readonly Station[];
  /** The most places that one of them has. */
  readonly capacity: number;
  readonly prefixes: PrefixMemory;
  /** Those with a free place, the one with the least to do on top. */
  readonly #open = new IndexedHeap<Desk>(({ load }) => load);
  #fit = 0;
  #seats = 0;
  #free = 0;

  constructor(stations: readonly Station[], prefixes: PrefixMemory) {
    this.stations = stations;
    this.capacity = stations.reduce((most, { definition }) => Math.max(most, definition.maxConcurrent), 1);
    this.prefixes = prefixes;
    for (const station of stations) {
      const desk: Desk = { station, load: 0, seats: 0, free: 0, isFit: false, place: -1 };
      const count = () => this.#count(desk);
      station.watchers = [...station.watchers, count];
      count();
    }
  }

  get isFit(): boolean {
    return this.#fit > 0;
  }

  /** Whether so many places are free beside those that are kept for `expected` others. */
  hasRoomFor(places: number, expected: number): boolean {
    const kept = Math.min(expected, maxKept, Math.floor(this.#seats / placesPerKept));
    return this.#free - places >= kept;
  }

  /** The one that last read most of the prompt, unless it has much more to do than another; else the least busy. */
  fittestFor(request: ParsedRequest): Station | undefined {
    const idlest = request.sequences === 1 ? this.#open.top?.station : this.#idlestFor(request);
    if (idlest === undefined || this.stations.length === 1) return idlest;
    const most = idlest.load + Math.max(4, idlest.load / 2);
    let holder = this.prefixes.holderOf(request);
    while (holder !== undefined && (holder.station.load > most || !holder.station.hasRoomFor(request)))
      holder = holder.next;
    return holder?.station ?? idlest;
  }

  #idlestFor(request: ParsedRequest): Station | undefined {
    return leastLoaded(this.stations.filter((station) => station.hasRoomFor(request)));
  }

  #count(desk: Desk): void {
    const { isFit, free, seats, load } = desk.station;
    this.#fit += Number(isFit) - Number(desk.isFit);
    this.#free += free - desk.free;
    this.#seats += (isFit ? seats : 0) - desk.seats;
    desk.isFit = isFit;
    desk.free = free;
    desk.seats = isFit ? seats : 0;
    desk.load = load;
    if (free === 0) this.#open.remove(desk);
    else if (desk.place < 0) this.#open.add(desk);
    else this.#open.moved(desk);
  }
}

export function leastLoaded(stations: readonly Station[]): Station | undefined {
  let best: Station | undefined;
  for (const station of stations) if (best === undefined || station.load < best.load) best = station;
  return best;
}
