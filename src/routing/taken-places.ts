import type { EngineDefinition, ModelReplica } from '#vocabulary/catalogue';
import type { ParsedRequest, Route } from '#vocabulary/inference';
import type { Station } from './station.ts';

export class TakenPlaces implements Route {
  readonly request: ParsedRequest;
  readonly engine: EngineDefinition;
  readonly replica: ModelReplica;
  readonly earlierTries: number;
  readonly #station: Station;
  readonly #freed: () => void;
  #isTaken = true;

  constructor(
    station: Station,
    request: ParsedRequest,
    replica: ModelReplica,
    earlierTries: number,
    freed: () => void,
  ) {
    this.request = request;
    this.engine = station.definition;
    this.replica = replica;
    this.earlierTries = earlierTries;
    this.#station = station;
    this.#freed = freed;
  }

  /** The same places for another try; this one no longer holds them. */
  handOver(replica: ModelReplica): TakenPlaces {
    this.#isTaken = false;
    return new TakenPlaces(this.#station, this.request, replica, this.earlierTries + 1, this.#freed);
  }

  [Symbol.dispose](): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.#station.give(this.request.sequences);
    this.#freed();
  }
}
