/**
 * Which healthy engine serves this model now? Keeps count of the work each engine has in hand, gives places to
 * the one with the least, puts engines aside that fail and takes them back when they generate again.
 */
import type { Catalogue, EngineDefinition, ModelDefinition, ModelReplica } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { ParsedRequest, Route } from '#vocabulary/inference';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import { createEngineHealth, type EngineHealth, type Probe } from './engine-health.ts';

export interface RoutingOptions {
  readonly catalogue: Catalogue;
  /** A tiny generation on the engine. Resolves undefined when it worked, else with the reason. */
  readonly probe: Probe;
  readonly probeIntervalMs: number;
  /** What an engine says of its own load; asked only where there is a choice between engines. */
  readonly readLoad: (engine: EngineDefinition) => Promise<number | undefined>;
  readonly loadIntervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Routing {
  /** A place at the fittest engine, or why there is none: everything is taken, or nothing is fit to serve. */
  takeRoute(request: ParsedRequest): Route | 'busy' | 'unavailable';
  onPlaceFreed(listener: () => void): void;
  recoverySeconds(modelId: string): number;
  /** For a request whose first engine did not answer: elsewhere if possible, else the same place once more. */
  takeAnother(route: Route): Route;
  succeeded(engineName: string): void;
  failed(engineName: string, reason: string): void;
  apply(catalogue: Catalogue): void;
  health(): readonly EngineReport[];
  stop(): void;
}

export interface EngineReport {
  readonly engineName: string;
  readonly kind: EngineDefinition['kind'];
  readonly state: 'healthy' | 'ejected' | 'untried';
  readonly outstanding: number;
  readonly maxConcurrent: number;
  readonly reason: string | undefined;
  readonly ejections: number;
}

interface Station {
  readonly health: EngineHealth;
  definition: EngineDefinition;
  outstanding: number;
  /** Work that came to the engine by other ways than ours, when it last told. */
  foreignLoad: number;
}

export function createRouting(options: RoutingOptions): Routing {
  const stations = new Map<string, Station>();
  const listeners: (() => void)[] = [];
  let models = new Map<string, ModelDefinition>();
  apply(options.catalogue);
  const loadTimer = setInterval(readLoads, options.loadIntervalMs);
  loadTimer.unref();

  return {
    takeRoute,
    onPlaceFreed: (listener) => void listeners.push(listener),
    recoverySeconds(modelId) {
      const waits = stationsOf(modelId).map((station) => station.health.recoveryMs());
      return Math.max(1, Math.ceil(Math.min(30_000, ...waits) / 1000));
    },
    takeAnother(route) {
      const other = leastBusy(route.request.model.id, route.engine.name);
      if (other === undefined) return keptPlace(route);
      const elsewhere = routeTo(other, route.request);
      route[Symbol.dispose]();
      return elsewhere;
    },
    succeeded: (engineName) => stations.get(engineName)?.health.succeeded(),
    failed: (engineName, reason) => stations.get(engineName)?.health.failed(reason),
    apply,
    health: () =>
      [...stations.values()].map(({ definition, health, outstanding }) => ({
        engineName: definition.name,
        kind: definition.kind,
        state: health.state,
        outstanding,
        maxConcurrent: definition.maxConcurrent,
        reason: health.reason,
        ejections: health.ejections,
      })),
    stop() {
      clearInterval(loadTimer);
      for (const { health } of stations.values()) health.stop();
    },
  };

  function takeRoute(request: ParsedRequest): Route | 'busy' | 'unavailable' {
    const modelId = request.model.id;
    if (!stationsOf(modelId).some(isFit)) return 'unavailable';
    const station = leastBusy(modelId);
    return station === undefined ? 'busy' : routeTo(station, request);
  }

  function leastBusy(modelId: string, except?: string): Station | undefined {
    let best: Station | undefined;
    for (const station of stationsOf(modelId)) {
      if (!isFit(station) || station.definition.name === except) continue;
      if (station.outstanding >= station.definition.maxConcurrent) continue;
      if (best === undefined || loadOf(station) < loadOf(best)) best = station;
    }
    return best;
  }

  function routeTo(station: Station, request: ParsedRequest): Route {
    const replica = replicaAt(station, request);
    station.outstanding++;
    return new TakenPlace(station, request, replica, announce);
  }

  /** The place stays taken: given back for a moment, it would go to whoever waits. */
  function keptPlace(route: Route): Route {
    const station = stations.get(route.engine.name);
    if (!(route instanceof TakenPlace) || station === undefined) throw gone(route.request.model.id);
    return route.handOver(station, replicaAt(station, route.request));
  }

  /** From the catalogue of now, which may be newer than the request. */
  function replicaAt({ definition }: Station, request: ParsedRequest): ModelReplica {
    const { replicas } = models.get(request.model.id) ?? request.model;
    const replica = replicas.find(({ engineName }) => engineName === definition.name);
    if (replica === undefined) throw gone(request.model.id);
    return replica;
  }

  function stationsOf(modelId: string): Station[] {
    const found: Station[] = [];
    for (const replica of models.get(modelId)?.replicas ?? []) {
      const station = stations.get(replica.engineName);
      if (station !== undefined) found.push(station);
    }
    return found;
  }

  function readLoads(): void {
    const hasChoice = new Set<Station>();
    for (const modelId of models.keys()) {
      const choices = stationsOf(modelId);
      if (choices.length > 1) for (const station of choices) hasChoice.add(station);
    }
    for (const station of hasChoice) {
      void options.readLoad(station.definition).then((load) => {
        station.foreignLoad = Math.max(0, (load ?? 0) - station.outstanding);
      });
    }
  }

  function announce(): void {
    for (const listener of listeners) listener();
  }

  /** Engines that stay keep their health and their count of work in hand. */
  function apply(catalogue: Catalogue): void {
    models = new Map(catalogue.models.map((model) => [model.id, model]));
    for (const [name, station] of stations) {
      if (catalogue.engines.some((engine) => engine.name === name)) continue;
      station.health.stop();
      stations.delete(name);
    }
    for (const definition of catalogue.engines) {
      const station = stations.get(definition.name);
      if (station !== undefined) station.definition = definition;
      else
        stations.set(definition.name, {
          definition,
          outstanding: 0,
          foreignLoad: 0,
          health: watch(definition.name),
        });
    }
    announce();
  }

  function watch(engineName: string): EngineHealth {
    return createEngineHealth({
      engineName,
      probe: () => {
        const station = stations.get(engineName);
        const replica = [...models.values()]
          .flatMap((model) => model.replicas)
          .find((candidate) => candidate.engineName === engineName);
        return station === undefined || replica === undefined
          ? Promise.resolve(undefined)
          : options.probe(station.definition, replica);
      },
      probeIntervalMs: options.probeIntervalMs,
      onRecovered: announce,
      clock: options.clock,
      logger: options.logger,
    });
  }
}

class TakenPlace implements Route {
  readonly request: ParsedRequest;
  readonly engine: EngineDefinition;
  readonly replica: ModelReplica;
  readonly #station: Station;
  readonly #announce: () => void;
  #isTaken = true;

  constructor(station: Station, request: ParsedRequest, replica: ModelReplica, announce: () => void) {
    this.request = request;
    this.engine = station.definition;
    this.replica = replica;
    this.#station = station;
    this.#announce = announce;
  }

  /** The same place under a new route; this one no longer holds it. */
  handOver(station: Station, replica: ModelReplica): TakenPlace {
    this.#isTaken = false;
    return new TakenPlace(station, this.request, replica, this.#announce);
  }

  [Symbol.dispose](): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.#station.outstanding--;
    this.#announce();
  }
}

function loadOf(station: Station): number {
  return station.outstanding + station.foreignLoad;
}

function isFit(station: Station): boolean {
  return station.health.state !== 'ejected';
}

function gone(modelId: string): Refusal {
  return new Refusal(
    'engine_unavailable',
    `The engine of \`${modelId}\` has just been taken out of service. Try again.`,
    { retryAfterSeconds: 1 },
  );
}
