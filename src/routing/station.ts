import type { EngineDefinition } from '#vocabulary/catalogue';
import type { ParsedRequest } from '#vocabulary/inference';
import type { EngineHealth } from './engine-health.ts';
import { PrefixMemory } from './prefix-memory.ts';
import { SeatTuner } from './seat-tuner.ts';

/** Of every eight places one is kept for members for whom nothing runs, so that a flood does not make them wait. */
const placesPerReserved = 8;
const maxReserved = 16;

/** One engine as the gateway sees it: its health, the work it has in hand, and what it probably still remembers. */
export class Station {
  readonly health: EngineHealth;
  readonly prefixes = new PrefixMemory();
  readonly seats: SeatTuner;
  definition: EngineDefinition;
  /** Places taken. */
  outstanding = 0;
  /** Work that came to the engine by other ways than ours, when it last told. */
  foreignLoad = 0;
  /** A request for which the engine is being emptied. */
  claimedBy: ParsedRequest | undefined;

  constructor(definition: EngineDefinition, health: EngineHealth) {
    this.definition = definition;
    this.health = health;
    this.seats = new SeatTuner(() => this.definition.maxConcurrent);
  }

  get isFit(): boolean {
    return this.health.state !== 'ejected';
  }

  /** Failures weigh like work: an engine that fails at once must not look idle. */
  get load(): number {
    return this.outstanding + this.foreignLoad + this.health.recentFailures;
  }

  /** Whether a request of so many sequences can be given to the engine now. */
  hasRoomFor(sequences: number, isNewcomer: boolean, request?: ParsedRequest): boolean {
    if (this.claimedBy !== undefined && this.claimedBy !== request) return false;
    const kept = isNewcomer || this.claimedBy !== undefined ? 0 : this.#reserved();
    return this.outstanding + sequences <= this.seats.count - kept;
  }

  #reserved(): number {
    return Math.min(maxReserved, Math.floor(this.seats.count / placesPerReserved));
  }
}
