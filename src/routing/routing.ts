/**
 * Which healthy engine serves this model now? Keeps count of the work each engine has in hand, gives places to
 * the one with the least, puts engines aside that fail and takes them back when they generate again.
 */
import {
  type Catalogue,
  crewsOf,
  type EngineDefinition,
  type EngineLoad,
  type ModelDefinition,
  type ModelReplica,
} from '#vocabulary/catalogue';
import type { Clock, Timers } from '#vocabulary/clock';
import type { ParsedRequest, Route } from '#vocabulary/inference';
import type { Logger } from '#vocabulary/logger';
import type { Peers } from '#vocabulary/peers';
import { Refusal } from '#vocabulary/refusal';
import { createEngineHealth, type EngineHealth, type Probe } from './engine-health.ts';
import { PrefixMemory, type PromptHolder } from './prefix-memory.ts';
import { createSeatLeases, type SeatDemand } from './seat-leases.ts';
import { leastLoaded, StationGroup } from './station-group.ts';
import { Station } from './station.ts';
import { TakenPlaces } from './taken-places.ts';

export interface RoutingOptions {
  readonly catalogue: Catalogue;
  /** A tiny generation on the engine. Resolves undefined when it worked, else with the reason. */
  readonly probe: Probe;
  readonly probeIntervalMs: number;
  /** Whether an engine answers anything at all. */
  readonly isAlive: (engine: EngineDefinition) => Promise<boolean>;
  /** An engine turned out to be dead: whatever it had in hand has failed. */
  readonly onDead: (engineName: string) => void;
  /** What an engine says of its own load; asked only where it matters. */
  readonly readLoad: (engine: EngineDefinition) => Promise<EngineLoad | undefined>;
  readonly loadIntervalMs: number;
  /** Other gateways that use the same engines. */
  readonly others?: SharedEngines;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

export interface SharedEngines {
  readonly peers: Peers;
  readonly ownId: () => string;
  /** By which name the gateways know an engine that they share; undefined for one that is nobody else's. */
  readonly sharedName: (engine: EngineDefinition) => string | undefined;
  /** Who waits, by model. */
  readonly demand: () => ReadonlyMap<string, SeatDemand>;
}

export interface Routing {
  /**
   * Places at the fittest engine, or why there are none: everything is taken, or nothing is fit to serve. Some are
   * left free for `expected` others, as far as the engines of the model are many enough.
   */
  takeRoute(request: ParsedRequest, expected: number): Route | 'busy' | 'unavailable';
  /** Also true when no engine is fit: asking for a route then tells so. */
  hasRoom(modelId: string): boolean;
  /** The most places that one engine of this model has. */
  capacityOf(modelId: string): number;
  /** Frees places at one engine for a request that needs several, until it has taken them or gone. */
  claim(request: ParsedRequest): void;
  unclaim(request: ParsedRequest): void;
  /** The engine that has read most of the beginning of this prompt lately, with room or without. */
  holderOf(request: ParsedRequest): PromptHolder | undefined;
  /** Whether any engine of its model, with room or without, has read something of this prompt lately. */
  mayHold(request: ParsedRequest): boolean;
  /** Told for which model there may be room, or nothing when it may be any. */
  onPlaceFreed(listener: (modelId?: string) => void): void;
  recoverySeconds(modelId: string): number;
  /** Whether the model has several engines of which one was put aside so lately that it may serve again. */
  mayBeBack(modelId: string): boolean;
  /** Whether one of these engines of a model has shown that it answers, and nothing since makes one doubt it. */
  outlook(modelId: string, isMeant: (engine: EngineDefinition) => boolean): 'well' | 'awaited' | 'none';
  /** For a request whose engine did not answer: one of these, else the same once more where that may be. */
  takeAnother(
    route: Route,
    mayServe: (engine: EngineDefinition) => boolean,
    maySame: boolean,
  ): Route | undefined;
  /**
   * For an answer whose engine died in the middle of it. Also where every place is taken: the work was already running
   * somewhere, and whoever waits for a place has not yet been promised one. Whoever may be back is tried before the
   * answer is given up.
   */
  takeToGoOn(route: Route, canGoOn: (engine: EngineDefinition) => boolean): Route | undefined;
  succeeded(engineName: string): void;
  failed(route: Route, reason: string): void;
  /** The engine has work and says nothing: it is asked whether it lives, and put aside when it does not. */
  suspect(engineName: string): void;
  apply(catalogue: Catalogue): void;
  health(): readonly EngineReport[];
  /** Nobody new comes: places that are not needed here are the other gateways' from now on. */
  leave(): void;
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
  /** The part of its cache that is taken, 0 to 1, where the engine says so. */
  readonly cacheUse: number | undefined;
}

/** An engine alone for its models, with room, is asked only for the sake of those who look. */
const readingsUntilAll = 10;

export function createRouting(options: RoutingOptions): Routing {
  const stations = new Map<string, Station>();
  const listeners: ((modelId?: string) => void)[] = [];
  let models = new Map<string, ModelDefinition>();
  /** By model. */
  let groups = new Map<string, StationGroup>();
  /** By model and engine. */
  let replicas = new Map<string, ReadonlyMap<string, ModelReplica>>();
  /** Engines that are being emptied, by the request that needs several places there. */
  const claims = new Map<ParsedRequest, Station>();
  apply(options.catalogue);
  const leases = options.others && leaseSeats(options.others);
  let loadReadings = 0;
  const loadTimer = options.timers.every(options.loadIntervalMs, readLoads);

  return {
    takeRoute,
    hasRoom(modelId) {
      const group = groups.get(modelId);
      return group === undefined || !group.isFit || group.hasRoomFor(1, 0);
    },
    capacityOf: (modelId) => groups.get(modelId)?.capacity ?? 1,
    claim(request) {
      const able = stationsOf(request.model.id).filter(
        ({ isFit, definition, claimedBy }) =>
          isFit && definition.maxConcurrent >= request.sequences && claimedBy === undefined,
      );
      const claimed = leastLoaded(able);
      if (claimed === undefined || claims.has(request)) return;
      claims.set(request, claimed);
      claimed.claimedBy = request;
    },
    unclaim,
    holderOf: (request) => groups.get(request.model.id)?.prefixes.holderOf(request),
    mayHold: (request) => groups.get(request.model.id)?.prefixes.knows(request) === true,
    onPlaceFreed: (listener) => void listeners.push(listener),
    recoverySeconds(modelId) {
      const waits = stationsOf(modelId).map((station) => station.health.recoveryMs());
      return Math.max(1, Math.ceil(Math.min(30_000, ...waits) / 1000));
    },
    mayBeBack(modelId) {
      const all = stationsOf(modelId);
      return all.length > 1 && all.some(({ health }) => health.mayBeBack);
    },
    outlook(modelId, isMeant) {
      const meant = stationsOf(modelId).filter(({ definition }) => isMeant(definition));
      if (meant.length === 0) return 'none';
      return meant.some(({ health }) => health.isWell) ? 'well' : 'awaited';
    },
    takeAnother(route, mayServe, maySame) {
      const others = stationsOf(route.request.model.id).filter(({ definition }) => mayServe(definition));
      // A place was promised: where an engine has died, the others are given more than their part, and whoever may be
      // back is tried before the caller is told that there is nobody.
      const foreign = others.filter(({ definition }) => definition.kind !== 'embedded');
      const other =
        leastLoaded(others.filter((station) => station.hasRoomFor(route.request))) ??
        leastLoaded(foreign.filter(({ isFit }) => isFit)) ??
        leastLoaded(foreign.filter(({ health }) => health.mayBeBack));
      if (other !== undefined) {
        const elsewhere = routeTo(other, route.request, route.earlierTries + 1);
        route[Symbol.dispose]();
        return elsewhere;
      }
      return maySame ? keptPlaces(route) : undefined;
    },
    takeToGoOn(route, canGoOn) {
      const able = stationsOf(route.request.model.id).filter(({ definition }) => canGoOn(definition));
      const other =
        leastLoaded(able.filter((station) => station.hasRoomFor(route.request))) ??
        leastLoaded(able.filter(({ isFit }) => isFit)) ??
        leastLoaded(
          able.filter(({ definition, health }) => definition.kind !== 'embedded' && health.mayBeBack),
        );
      if (other === undefined) return undefined;
      const elsewhere = routeTo(other, route.request, route.earlierTries + 1);
      route[Symbol.dispose]();
      return elsewhere;
    },
    succeeded: (engineName) => stations.get(engineName)?.health.succeeded(),
    failed: ({ engine, request }, reason) =>
      stations.get(engine.name)?.health.failed(reason, request.share.memberId),
    suspect: (engineName) => stations.get(engineName)?.health.suspect(),
    apply,
    health: () =>
      [...stations.values()].map(({ definition, health, outstanding, cacheUse }) => ({
        engineName: definition.name,
        kind: definition.kind,
        state: health.state,
        outstanding,
        maxConcurrent: definition.maxConcurrent,
        reason: health.reason,
        ejections: health.ejections,
        cacheUse,
      })),
    leave: () => leases?.leave(),
    stop() {
      loadTimer[Symbol.dispose]();
      for (const { health } of stations.values()) health.stop();
    },
  };

  function takeRoute(request: ParsedRequest, expected: number): Route | 'busy' | 'unavailable' {
    const group = groups.get(request.model.id);
    if (group === undefined || !group.isFit) return 'unavailable';
    const claimed = claims.get(request);
    if (claimed?.hasRoomFor(request, true) === true) return routeTo(claimed, request);
    if (claimed?.isFit === false) unclaim(request);
    const station = group.hasRoomFor(request.sequences, expected) ? group.fittestFor(request) : undefined;
    if (station !== undefined) return routeTo(station, request);
    leases?.missed();
    return 'busy';
  }

  function leaseSeats({ demand, ...others }: SharedEngines) {
    const topic = createSeatLeases({
      ...others,
      stations: () => stations.values(),
      demands() {
        const sums = new Map<string, SeatDemand>();
        for (const [modelId, { places, members }] of demand())
          for (const { engineName } of models.get(modelId)?.replicas ?? []) {
            const sum = sums.get(engineName) ?? { places: 0, members: 0 };
            sums.set(engineName, { places: sum.places + places, members: sum.members + members });
          }
        return sums;
      },
      onRoom: () => announce(),
    });
    others.peers.join(topic);
    return topic;
  }

  function routeTo(station: Station, request: ParsedRequest, earlierTries = 0): Route {
    const replica = replicaAt(station, request);
    station.take(request.sequences);
    unclaim(request);
    const group = groups.get(request.model.id);
    // Where there is neither a choice nor a wait, nobody will ask.
    if (group !== undefined && (group.stations.length > 1 || station.isNearlyFull))
      group.prefixes.remember(request, station, group.stations.length);
    return new TakenPlaces(station, request, replica, earlierTries, () => announce(request.model.id));
  }

  function unclaim(request: ParsedRequest): void {
    const station = claims.get(request);
    if (station === undefined) return;
    claims.delete(request);
    station.claimedBy = undefined;
  }

  /** The places stay taken: given back for a moment, they would go to whoever waits. */
  function keptPlaces(route: Route): Route {
    const station = stations.get(route.engine.name);
    if (!(route instanceof TakenPlaces) || station === undefined) throw gone(route.request.model.id);
    return route.handOver(replicaAt(station, route.request));
  }

  /** From the catalogue of now, which may be newer than the request. */
  function replicaAt({ definition }: Station, { model }: ParsedRequest): ModelReplica {
    const replica = replicas.get(model.id)?.get(definition.name);
    if (replica === undefined) throw gone(model.id);
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

  /** Engines among which there is a choice, those in front of which somebody may have to wait; others now and then. */
  function readLoads(): void {
    const chosen = new Set<Station>();
    for (const { stations: all } of new Set(groups.values()))
      for (const station of all) if (all.length > 1 || station.isNearlyFull) chosen.add(station);
    const isTimeForAll = loadReadings++ % readingsUntilAll === 0;
    for (const station of stations.values())
      if (isTimeForAll || chosen.has(station))
        void options.readLoad(station.definition).then((load) => {
          station.cacheUse = load?.cacheUse;
          if (chosen.has(station) && station.told(load?.inHand ?? 0, load?.queued ?? 0)) announce();
        });
  }

  function announce(modelId?: string): void {
    for (const listener of listeners) listener(modelId);
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
      else stations.set(definition.name, new Station(definition, watch(definition.name)));
    }
    for (const station of stations.values()) station.watchers = [];
    for (const [request, station] of claims)
      if (stations.get(station.definition.name) !== station) claims.delete(request);
    replicas = new Map(
      catalogue.models.map((model) => [
        model.id,
        new Map(model.replicas.map((replica) => [replica.engineName, replica])),
      ]),
    );
    const before = groups;
    groups = new Map();
    for (const [modelId, leaderId] of crewsOf(catalogue)) {
      const group = groups.get(leaderId);
      const prefixes = before.get(modelId)?.prefixes ?? new PrefixMemory();
      groups.set(modelId, group ?? new StationGroup(stationsOf(modelId), prefixes));
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
      isAlive: async () => {
        const station = stations.get(engineName);
        return station === undefined || (await options.isAlive(station.definition));
      },
      onDead: () => options.onDead(engineName),
      onRecovered: () => announce(),
      onChanged: () => stations.get(engineName)?.changed(),
      clock: options.clock,
      timers: options.timers,
      logger: options.logger,
    });
  }
}

function gone(modelId: string): Refusal {
  return new Refusal(
    'engine_unavailable',
    `The engine of \`${modelId}\` has just been taken out of service. Try again.`,
    { retryAfterSeconds: 1 },
  );
}
