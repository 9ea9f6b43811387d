/**
 * Which healthy engine serves this model now? Keeps count of the work each engine has in hand, gives seats to the
 * one with the least, puts engines aside that fail and takes them back when they generate again.
 */
import type { Catalogue, EngineDefinition, ModelDefinition } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { Route, Seat, Ticket } from '#vocabulary/inference';
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
  takeSeat(modelId: string): Seat | 'busy' | 'unavailable';
  onSeatFreed(listener: () => void): void;
  recoverySeconds(modelId: string): number;
  choose(ticket: Ticket): Route;
  /** Another seat after the first engine did not answer: elsewhere if possible, else the same engine once more. */
  chooseAgain(ticket: Ticket): Route;
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

interface Desk {
  readonly health: EngineHealth;
  definition: EngineDefinition;
  outstanding: number;
  /** Work that came to the engine by other ways than ours, when it last told. */
  foreignLoad: number;
}

export function createRouting(options: RoutingOptions): Routing {
  const desks = new Map<string, Desk>();
  const listeners: (() => void)[] = [];
  let models = new Map<string, ModelDefinition>();
  apply(options.catalogue);
  const loadTimer = setInterval(readLoads, options.loadIntervalMs);
  loadTimer.unref();

  return {
    takeSeat,
    onSeatFreed: (listener) => void listeners.push(listener),
    recoverySeconds(modelId) {
      const waits = desksOf(modelId).map((desk) => desk.health.recoveryMs());
      return Math.max(1, Math.ceil(Math.min(30_000, ...waits) / 1000));
    },
    choose: routeOf,
    chooseAgain(ticket) {
      const first = ticket.seat.engineName;
      ticket.seat.release();
      const other = leastBusy(ticket.arrival.model.id, first) ?? desks.get(first);
      if (other === undefined) throw gone(ticket.arrival.model.id);
      ticket.seat = seatAt(other);
      return routeOf(ticket);
    },
    succeeded: (engineName) => desks.get(engineName)?.health.succeeded(),
    failed: (engineName, reason) => desks.get(engineName)?.health.failed(reason),
    apply,
    health: () =>
      [...desks.values()].map(({ definition, health, outstanding }) => ({
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
      for (const { health } of desks.values()) health.stop();
    },
  };

  function takeSeat(modelId: string): Seat | 'busy' | 'unavailable' {
    const candidates = desksOf(modelId);
    if (!candidates.some(isFit)) return 'unavailable';
    const desk = leastBusy(modelId);
    return desk === undefined ? 'busy' : seatAt(desk);
  }

  function leastBusy(modelId: string, except?: string): Desk | undefined {
    let best: Desk | undefined;
    for (const desk of desksOf(modelId)) {
      if (!isFit(desk) || desk.definition.name === except) continue;
      if (desk.outstanding >= desk.definition.maxConcurrent) continue;
      if (best === undefined || loadOf(desk) < loadOf(best)) best = desk;
    }
    return best;
  }

  function seatAt(desk: Desk): Seat {
    desk.outstanding++;
    let isTaken = true;
    return {
      engineName: desk.definition.name,
      release() {
        if (!isTaken) return;
        isTaken = false;
        desk.outstanding--;
        announce();
      },
    };
  }

  function routeOf(ticket: Ticket): Route {
    const { engineName } = ticket.seat;
    const desk = desks.get(engineName);
    const replica = ticket.arrival.model.replicas.find((candidate) => candidate.engineName === engineName);
    if (desk === undefined || replica === undefined) throw gone(ticket.arrival.model.id);
    return { ticket, engine: desk.definition, replica };
  }

  function desksOf(modelId: string): Desk[] {
    const found: Desk[] = [];
    for (const replica of models.get(modelId)?.replicas ?? []) {
      const desk = desks.get(replica.engineName);
      if (desk !== undefined) found.push(desk);
    }
    return found;
  }

  function readLoads(): void {
    const hasChoice = new Set<Desk>();
    for (const modelId of models.keys()) {
      const choices = desksOf(modelId);
      if (choices.length > 1) for (const desk of choices) hasChoice.add(desk);
    }
    for (const desk of hasChoice) {
      void options.readLoad(desk.definition).then((load) => {
        desk.foreignLoad = Math.max(0, (load ?? 0) - desk.outstanding);
      });
    }
  }

  function announce(): void {
    for (const listener of listeners) listener();
  }

  /** Engines that stay keep their health and their count of work in hand. */
  function apply(catalogue: Catalogue): void {
    models = new Map(catalogue.models.map((model) => [model.id, model]));
    for (const [name, desk] of desks) {
      if (catalogue.engines.some((engine) => engine.name === name)) continue;
      desk.health.stop();
      desks.delete(name);
    }
    for (const definition of catalogue.engines) {
      const desk = desks.get(definition.name);
      if (desk !== undefined) desk.definition = definition;
      else
        desks.set(definition.name, {
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
        const desk = desks.get(engineName);
        const replica = [...models.values()]
          .flatMap((model) => model.replicas)
          .find((candidate) => candidate.engineName === engineName);
        return desk === undefined || replica === undefined
          ? Promise.resolve(undefined)
          : options.probe(desk.definition, replica);
      },
      probeIntervalMs: options.probeIntervalMs,
      onRecovered: announce,
      clock: options.clock,
      logger: options.logger,
    });
  }
}

function loadOf(desk: Desk): number {
  return desk.outstanding + desk.foreignLoad;
}

function isFit(desk: Desk): boolean {
  return desk.health.state !== 'ejected';
}

function gone(modelId: string): Refusal {
  return new Refusal(
    'engine_unavailable',
    `The engine of \`${modelId}\` has just been taken out of service. Try again.`,
    { retryAfterSeconds: 1 },
  );
}
