import type { EngineDefinition } from '#vocabulary/catalogue';
import type { ParsedRequest } from '#vocabulary/inference';
import type { EngineHealth } from './engine-health.ts';
import { SeatTuner } from './seat-tuner.ts';

/** One engine as the gateway sees it: its health and the work it has in hand. */
export class Station {
  readonly health: EngineHealth;
  readonly #seats: SeatTuner;
  #definition: EngineDefinition;
  #outstanding = 0;
  #foreignLoad = 0;
  #lease = Infinity;
  #free = 0;
  #claimedBy: ParsedRequest | undefined;
  /** The part of its cache that the engine says is taken. */
  cacheUse: number | undefined;
  /** Those who keep count of many stations, one for each set of engines that serve the same models. */
  watchers: readonly (() => void)[] = [];

  constructor(definition: EngineDefinition, health: EngineHealth) {
    this.#definition = definition;
    this.health = health;
    this.#seats = new SeatTuner(() => this.#definition.maxConcurrent);
    this.changed();
  }

  get definition(): EngineDefinition {
    return this.#definition;
  }

  set definition(definition: EngineDefinition) {
    this.#definition = definition;
    this.changed();
  }

  get isFit(): boolean {
    return this.health.state !== 'ejected';
  }

  /** Places taken. */
  get outstanding(): number {
    return this.#outstanding;
  }

  /** Those that this gateway may take. */
  get seats(): number {
    return Math.min(this.#seats.count, this.#lease);
  }

  /** Those that the engine has, for all gateways together. */
  get tunedSeats(): number {
    return this.#seats.count;
  }

  /** How many of them are this gateway's. */
  get lease(): number {
    return this.#lease;
  }

  set lease(places: number) {
    if (places === this.#lease) return;
    this.#lease = places;
    this.changed();
  }

  /** Failures weigh like work: an engine that fails at once must not look idle. */
  get load(): number {
    return this.#outstanding + this.#foreignLoad + this.health.recentFailures;
  }

  /** Hardly a place is left: from here on somebody may have to wait. */
  get isNearlyFull(): boolean {
    return (this.seats - this.#outstanding) * 8 <= this.seats;
  }

  /** A request for which the engine is being emptied. */
  get claimedBy(): ParsedRequest | undefined {
    return this.#claimedBy;
  }

  set claimedBy(request: ParsedRequest | undefined) {
    this.#claimedBy = request;
    this.changed();
  }

  /** Places that anybody can take; kept, because it is asked for far more often than it changes. */
  get free(): number {
    return this.#free;
  }

  /** Whether a request of so many sequences can be given to the engine now. */
  hasRoomFor({ sequences }: ParsedRequest, isClaimant = false): boolean {
    if (!isClaimant) return sequences <= this.#free;
    return this.isFit && this.#outstanding + sequences <= this.seats;
  }

  take(places: number): void {
    this.#outstanding += places;
    this.changed();
  }

  give(places: number): void {
    this.#outstanding -= places;
    this.changed();
  }

  /** What the engine told of its load: everything in hand, and what waits inside it. True when places were added. */
  told(inHand: number, queued: number): boolean {
    const before = this.seats;
    this.#foreignLoad = Math.max(0, inHand - this.#outstanding);
    this.#seats.observe(queued, this.isNearlyFull);
    this.changed();
    return this.seats > before;
  }

  changed(): void {
    const isOpen = this.isFit && this.#claimedBy === undefined;
    this.#free = isOpen ? Math.max(0, this.seats - this.#outstanding) : 0;
    for (const watcher of this.watchers) watcher();
  }
}
