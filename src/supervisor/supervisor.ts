import type { EngineDefinition, ModelDefinition } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { EmbeddedEngineFacts, EmbeddedEngineStatus } from '#vocabulary/embedded-engine';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import type { CheckModelFile, ChildConfiguration, StartEngine } from './child-contract.ts';
import { deriveProfiles } from './derive-profiles.ts';
import { createEngineRunner, type EngineRunner } from './engine-runner.ts';
import { prepareSocketDirectory, socketPathFor } from './socket-directory.ts';
import { type SupervisionPolicy, usualPolicy } from './supervision-policy.ts';

export interface EngineSupervisorParts {
  readonly definitions: readonly EngineDefinition[];
  readonly models: readonly ModelDefinition[];
  readonly dataDir: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly startEngine: StartEngine;
  readonly checkModelFile: CheckModelFile;
  readonly policy?: Partial<SupervisionPolicy>;
  readonly random?: () => number;
}

export interface EngineSupervisor {
  /** After a reload: starts what is new, stops what is gone, restarts what changed, leaves the rest alone. */
  apply(definitions: readonly EngineDefinition[], models: readonly ModelDefinition[]): Promise<void>;
  /** The same definitions, with the socket of every embedded engine filled in. */
  withSockets(definitions: readonly EngineDefinition[]): readonly EngineDefinition[];
  /** Whether the engine waits for its first request, which `whenReady` announces. */
  isIdle(engineName: string): boolean;
  /** Starts an engine that waits for demand. Throws a Refusal when the engine cannot serve. */
  whenReady(engineName: string): Promise<EmbeddedEngineFacts>;
  status(): readonly EmbeddedEngineStatus[];
  /** Called after every change of state. Returns a function that forgets the listener. */
  onChange(listener: (status: EmbeddedEngineStatus) => void): () => void;
  /** Resolves when every engine process is gone. */
  stop(): Promise<void>;
}

/**
 * Runs the embedded engines: one child process each, watched, restarted and stopped. Whatever happens to a
 * child, the gateway lives on; whatever happens to the gateway, no child outlives it.
 */
export function createEngineSupervisor(parts: EngineSupervisorParts): EngineSupervisor {
  const socketDirectory = prepareSocketDirectory(parts.dataDir);
  const policy = { ...usualPolicy, ...parts.policy };
  const listeners = new Set<(status: EmbeddedEngineStatus) => void>();
  /** As many as the settings name engines. */
  const running = new Map<string, { readonly plan: EnginePlan; readonly runner: EngineRunner }>();
  let applying = Promise.resolve();
  let hasStopped = false;

  let planned = planEngines(parts.definitions, parts.models);
  adopt(planned);

  function planEngines(
    definitions: readonly EngineDefinition[],
    models: readonly ModelDefinition[],
  ): Map<string, EnginePlan> {
    const plans = new Map<string, EnginePlan>();
    for (const { name, kind, embedded, maxConcurrent } of definitions) {
      if (kind !== 'embedded' || embedded === undefined) continue;
      const { modelFile, threads, contextTokens, gpu, start } = embedded;
      plans.set(name, {
        start,
        memoryLimitBytes: embedded.memoryLimitBytes,
        configuration: {
          modelFile,
          listen: { socketPath: socketPathFor(socketDirectory, name) },
          threads,
          slots: maxConcurrent,
          contextTokens,
          gpu,
          profiles: deriveProfiles(name, models),
        },
      });
    }
    return plans;
  }

  function adopt(plans: ReadonlyMap<string, EnginePlan>): void {
    for (const [name, plan] of plans) {
      if (running.has(name)) continue;
      const runner = createEngineRunner({
        name,
        ...plan,
        policy,
        startEngine: parts.startEngine,
        checkModelFile: parts.checkModelFile,
        logger: parts.logger.child({ engine: name }),
        clock: parts.clock,
        random: parts.random ?? Math.random,
        onChange: (status) => {
          for (const listener of listeners) listener(status);
        },
      });
      running.set(name, { plan, runner });
    }
  }

  async function change(plans: ReadonlyMap<string, EnginePlan>): Promise<void> {
    const leaving = [...running].filter(([name, { plan }]) => !isSamePlan(plan, plans.get(name)));
    await Promise.all(leaving.map(([, { runner }]) => runner.stop()));
    for (const [name] of leaving) running.delete(name);
    if (!hasStopped) adopt(plans);
  }

  return {
    apply(definitions, models) {
      const plans = planEngines(definitions, models);
      planned = plans;
      applying = applying.then(() => change(plans));
      return applying;
    },
    withSockets: (definitions) =>
      definitions.map((definition) =>
        definition.kind === 'embedded'
          ? { ...definition, socketPath: socketPathFor(socketDirectory, definition.name) }
          : definition,
      ),
    async whenReady(engineName) {
      // After a reload the engine may be one that is about to start, or about to be replaced.
      await applying;
      const engine = running.get(engineName);
      if (engine !== undefined) return engine.runner.whenReady();
      throw new Refusal(
        'engine_unavailable',
        'The engine of this model is not there any more. Ask for the list of models again.',
        { retryAfterSeconds: 2 },
      );
    },
    isIdle(engineName) {
      const engine = running.get(engineName);
      const wanted = planned.get(engineName);
      return engine !== undefined && isSamePlan(engine.plan, wanted)
        ? engine.runner.status().state.kind === 'idle'
        : wanted?.start === 'demand';
    },
    status: () => [...running.values()].map(({ runner }) => runner.status()),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async stop() {
      hasStopped = true;
      await Promise.all([...running.values()].map(({ runner }) => runner.stop()));
      await applying;
    },
  };
}

interface EnginePlan {
  readonly start: 'boot' | 'demand';
  readonly memoryLimitBytes: number | undefined;
  readonly configuration: ChildConfiguration;
}

function isSamePlan(current: EnginePlan, wanted: EnginePlan | undefined): boolean {
  return JSON.stringify(current) === JSON.stringify(wanted);
}
