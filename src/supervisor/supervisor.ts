import type { EngineDefinition, ModelDefinition } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { EmbeddedEngineFacts, EmbeddedEngineStatus } from '#vocabulary/embedded-engine';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import type { CheckModelFile, EstimateMemory, StartEngine } from './child-contract.ts';
import { type EnginePlan, needsNewProcess, planEngines } from './engine-plan.ts';
import { createEngineRunner, type EngineRunner } from './engine-runner.ts';
import { prepareSocketDirectory, socketPathFor } from './socket-directory.ts';
import { type SupervisionPolicy, usualPolicy } from './supervision-policy.ts';

export interface EngineSupervisorParts {
  readonly definitions: readonly EngineDefinition[];
  readonly models: readonly ModelDefinition[];
  readonly dataDir: string;
  readonly startEngine: StartEngine;
  readonly checkModelFile: CheckModelFile;
  readonly estimateMemory: EstimateMemory;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly policy?: Partial<SupervisionPolicy>;
  readonly random?: () => number;
  readonly availableMemory?: () => number;
}

export interface EngineSupervisor {
  /**
   * After a reload: starts what is new, leaves alone what is the same, and tells running engines what they can
   * change about themselves. An engine that is gone or needs another process ends with its last answer; the new
   * one starts beside it where the memory is enough for both, else after it.
   */
  apply(definitions: readonly EngineDefinition[], models: readonly ModelDefinition[]): void;
  /** The same definitions, with the socket of every embedded engine filled in. */
  withSockets(definitions: readonly EngineDefinition[]): readonly EngineDefinition[];
  /** Whether the engine waits for its first request, which `whenReady` announces. */
  isIdle(engineName: string): boolean;
  /** Starts an engine that waits for demand. Throws a Refusal when the engine cannot serve. */
  whenReady(engineName: string): Promise<EmbeddedEngineFacts>;
  /** Of the engines that the settings name; one that is being replaced is told of no more. */
  status(): readonly EmbeddedEngineStatus[];
  /** Called after every change of state. Returns a function that forgets the listener. */
  onChange(listener: (status: EmbeddedEngineStatus) => void): () => void;
  /** Prompt in every state. Resolves when every engine process is gone. */
  stop(): Promise<void>;
}

/**
 * Runs the embedded engines: one child process each, watched, restarted and stopped. Whatever happens to a
 * child, the gateway lives on; whatever happens to the gateway, no child outlives it.
 */
export function createEngineSupervisor(parts: EngineSupervisorParts): EngineSupervisor {
  const socketDirectory = prepareSocketDirectory(parts.dataDir);
  const policy = { ...usualPolicy, ...parts.policy };
  const availableMemory = parts.availableMemory ?? (() => process.availableMemory());
  const listeners = new Set<(status: EmbeddedEngineStatus) => void>();
  /** As many as the settings name engines. */
  const running = new Map<string, { plan: EnginePlan; readonly socketPath: string; runner: EngineRunner }>();
  /** Replaced engines that still have answers to end; as many as there is memory for. */
  const retiring = new Set<EngineRunner>();
  let generation = 0;
  let hasStopped = false;
  adopt(planEngines(parts.definitions, parts.models));

  function adopt(plans: ReadonlyMap<string, EnginePlan>): void {
    for (const [name, plan] of plans) {
      if (running.has(name)) continue;
      const logger = parts.logger.child({ engine: name });
      const socketPath = socketPathFor(socketDirectory, name, generation);
      const runner = createEngineRunner({
        name,
        plan,
        socketPath,
        policy,
        startEngine: parts.startEngine,
        checkModelFile: parts.checkModelFile,
        whenRoom: () => whenRoom(plan, logger),
        logger,
        clock: parts.clock,
        random: parts.random ?? Math.random,
        onChange: (status) => {
          if (running.get(name)?.runner === runner) for (const listener of listeners) listener(status);
        },
      });
      running.set(name, { plan, socketPath, runner });
    }
  }

  function retire(runner: EngineRunner): void {
    retiring.add(runner);
    void runner.retire(policy.retireLimitMs).finally(() => retiring.delete(runner));
  }

  /** Beside engines that are being replaced a new one starts only if the memory is enough for both. */
  async function whenRoom({ process: wanted }: EnginePlan, logger: Logger): Promise<void> {
    const leaving = [...retiring];
    if (leaving.length === 0) return;
    const { slots, contextTokens, modelFile } = wanted;
    const estimate = await parts
      .estimateMemory(modelFile, {
        slots,
        contextTokens: contextTokens === 'auto' ? undefined : contextTokens,
      })
      .catch(() => undefined);
    // The system holds a file that two processes map only once.
    const isShared = leaving.some((runner) => runner.status().modelFile === modelFile);
    const neededBytes =
      (estimate?.memory.totalBytes ?? 0) - (isShared ? (estimate?.memory.weightBytes ?? 0) : 0);
    const isOnProcessor = leaving.every((runner) => (runner.status().facts?.gpu ?? 'off') === 'off');
    if (isOnProcessor && neededBytes * memoryReserve < availableMemory()) return;
    logger.info({ neededBytes }, 'The new engine starts when the one before it has ended its answers.');
    await Promise.all(leaving.map((runner) => runner.retire(policy.crowdedRetireLimitMs)));
  }

  return {
    apply(definitions, models) {
      if (hasStopped) return;
      const plans = planEngines(definitions, models);
      generation += 1;
      for (const [name, engine] of running) {
        const wanted = plans.get(name);
        if (wanted === undefined || needsNewProcess(engine.plan, wanted)) {
          running.delete(name);
          retire(engine.runner);
        } else if (JSON.stringify(engine.plan) !== JSON.stringify(wanted)) {
          engine.plan = wanted;
          engine.runner.update(wanted);
        }
      }
      adopt(plans);
    },
    withSockets: (definitions) =>
      definitions.map((definition) => {
        const socketPath = running.get(definition.name)?.socketPath;
        return definition.kind === 'embedded' && socketPath !== undefined
          ? { ...definition, socketPath }
          : definition;
      }),
    async whenReady(engineName) {
      const engine = running.get(engineName);
      if (engine !== undefined) return engine.runner.whenReady();
      throw new Refusal(
        'engine_unavailable',
        'The engine of this model is not there any more. Ask for the list of models again.',
        { retryAfterSeconds: 2 },
      );
    },
    isIdle: (engineName) => running.get(engineName)?.runner.status().state.kind === 'idle',
    status: () => [...running.values()].map(({ runner }) => runner.status()),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async stop() {
      hasStopped = true;
      const runners = [...running.values()].map(({ runner }) => runner);
      await Promise.all([...runners, ...retiring].map((runner) => runner.stop()));
    },
  };
}

/** Other programs want memory too. */
const memoryReserve = 1.25;
