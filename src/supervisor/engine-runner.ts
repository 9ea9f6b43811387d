import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Clock } from '#vocabulary/clock';
import type {
  EmbeddedEngineFacts,
  EmbeddedEngineState,
  EmbeddedEngineStatus,
} from '#vocabulary/embedded-engine';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import type { CheckModelFile, ChildConfiguration, StartEngine } from './child-contract.ts';
import { type ChildEnd, type ChildRun, watchChild } from './child-run.ts';
import type { EnginePlan } from './engine-plan.ts';
import { yieldToGateway } from './yield-to-gateway.ts';
import { restartDelayMs, startLimitFor, type SupervisionPolicy } from './supervision-policy.ts';

export interface EngineRunnerParts {
  readonly name: string;
  readonly plan: EnginePlan;
  readonly socketPath: string;
  readonly policy: SupervisionPolicy;
  readonly startEngine: StartEngine;
  readonly checkModelFile: CheckModelFile;
  /** Resolves when there is memory for the first process. */
  readonly whenRoom: () => Promise<void>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onChange: (status: EmbeddedEngineStatus) => void;
}

export interface EngineRunner {
  status(): EmbeddedEngineStatus;
  /** Starts an idle engine. Refuses at once when the engine has failed or is stopped; waits otherwise. */
  whenReady(): Promise<EmbeddedEngineFacts>;
  /** A plan for the same process: what it serves changes, and running answers go on. */
  update(plan: EnginePlan): void;
  /** Lets running answers end, at most so long. Resolves when the process is gone; may be called again to hurry. */
  retire(limitMs: number): Promise<void>;
  /** Resolves when the process is gone. Calling it again is harmless. */
  stop(): Promise<void>;
}

/** One engine from its first start to its stop, through as many processes as it takes. */
export function createEngineRunner(parts: EngineRunnerParts): EngineRunner {
  const { name, socketPath, policy, logger } = parts;
  const demanded = Promise.withResolvers<void>();
  /** No process is started any more. */
  const stopping = new AbortController();
  const stopped = once(stopping.signal, 'abort');
  let { plan } = parts;
  let state: EmbeddedEngineState = { kind: plan.start === 'boot' ? 'starting' : 'idle' };
  let facts: EmbeddedEngineFacts | undefined;
  let run: ChildRun | undefined;
  let restarts = 0;
  let farewell: NodeJS.Timeout | undefined;
  let waiting: PromiseWithResolvers<EmbeddedEngineFacts> | undefined;
  let loggedReason: string | undefined;

  if (plan.start === 'boot') demanded.resolve();
  const life = live();

  async function live(): Promise<void> {
    await unlessStopped(demanded.promise);
    await unlessStopped(parts.whenRoom());
    let failures = 0;
    let { gpu } = plan.process;
    while (!stopping.signal.aborted) {
      const file = await unlessStopped(parts.checkModelFile(plan.process.modelFile));
      if (file === undefined || stopping.signal.aborted) break;
      if (!file.isSound) {
        await rest({ kind: 'failed', reason: file.problem, afterMs: policy.failedRetryMs });
        continue;
      }
      enter({ kind: 'starting' });
      const end = await runOnce(file.fileBytes, gpu).catch(explainAccident);
      if (stopping.signal.aborted) break;
      restarts++;
      if (gpu === 'auto' && end.servedMs === undefined && failures > 0) {
        // Drivers that do not fit the library abort the process; nobody asked for them, so do without.
        gpu = 'off';
        logger.warn(
          {},
          'The engine did not start twice with gpu: auto. Until the next restart of the service it is tried on the processor alone; "gatehouse models gpu" may say why.',
        );
      }
      failures = (end.servedMs ?? 0) >= policy.healthyMs ? 1 : failures + 1;
      if (failures >= policy.failuresUntilFailed)
        await rest({ kind: 'failed', reason: end.reason, afterMs: policy.failedRetryMs });
      else
        await rest({
          kind: 'restarting',
          reason: end.reason,
          afterMs: restartDelayMs(failures, policy, parts.random),
        });
    }
    enter({ kind: 'stopped' });
  }

  /** A stop waits for nothing but the end of the process. */
  function unlessStopped<Value>(work: Promise<Value>): Promise<Value | undefined> {
    return Promise.race([work, stopped.then(() => undefined)]);
  }

  async function runOnce(fileBytes: number, gpu: ChildConfiguration['gpu']): Promise<ChildEnd> {
    removeSocket();
    const { profiles } = plan;
    const child = parts.startEngine({ ...plan.process, gpu, profiles, listen: { socketPath } });
    if (child.pid !== undefined) yieldToGateway(child.pid);
    run = watchChild({
      child,
      socketPath,
      startLimitMs: startLimitFor(fileBytes, policy),
      memoryLimitBytes: () => plan.memoryLimitBytes,
      policy,
      logger,
      clock: parts.clock,
      onReady(measured) {
        facts = measured;
        if (plan.profiles !== profiles) run?.tell({ type: 'serve', profiles: plan.profiles });
        if (!stopping.signal.aborted) enter({ kind: 'ready' });
      },
    });
    const end = await run.ended;
    run = undefined;
    removeSocket();
    return end;
  }

  function enter(next: EmbeddedEngineState): void {
    state = next;
    announce(next);
    if (next.kind === 'ready' && facts !== undefined) waiting?.resolve(facts);
    else if (next.kind === 'failed' || next.kind === 'stopped') waiting?.reject(refusalFor(name, next));
    if (next.kind === 'ready' || next.kind === 'failed' || next.kind === 'stopped') waiting = undefined;
    parts.onChange(status());
  }

  /** A failure that repeats is told once. */
  function announce(next: EmbeddedEngineState): void {
    if (next.kind === 'ready') logger.info({ ...facts }, 'The engine is ready.');
    if (next.kind === 'ready') loggedReason = undefined;
    if (next.kind === 'restarting') logger.warn({ afterMs: next.afterMs }, next.reason);
    if (next.kind === 'failed' && loggedReason !== next.reason) {
      loggedReason = next.reason;
      logger.error({ afterMs: next.afterMs }, next.reason);
    }
  }

  async function rest(next: EmbeddedEngineState & { readonly afterMs: number }): Promise<void> {
    enter(next);
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, next.afterMs);
    await unlessStopped(promise);
    clearTimeout(timer);
  }

  function removeSocket(): void {
    rmSync(socketPath, { force: true });
  }

  function status(): EmbeddedEngineStatus {
    return {
      name,
      modelFile: plan.process.modelFile,
      start: plan.start,
      state,
      socketPath,
      processId: run?.processId,
      memoryBytes: run?.memoryBytes(),
      memoryLimitBytes: plan.memoryLimitBytes,
      restarts,
      facts,
    };
  }

  async function stop(): Promise<void> {
    stopping.abort();
    run?.stop();
    await life;
  }

  return {
    status,
    whenReady() {
      demanded.resolve();
      if (state.kind === 'ready' && facts !== undefined) return Promise.resolve(facts);
      if (state.kind === 'failed' || state.kind === 'stopped') return Promise.reject(refusalFor(name, state));
      waiting ??= Promise.withResolvers();
      return waiting.promise;
    },
    update(next) {
      plan = next;
      if (plan.start === 'boot') demanded.resolve();
      if (state.kind === 'ready') run?.tell({ type: 'serve', profiles: plan.profiles });
    },
    async retire(limitMs) {
      if (state.kind !== 'ready') return stop();
      stopping.abort();
      farewell ??= setTimeout(() => run?.tell({ type: 'finish' }), policy.farewellMs);
      const limit = setTimeout(() => void stop(), limitMs);
      await life;
      clearTimeout(farewell);
      clearTimeout(limit);
    },
    stop,
  };
}

/** The system would not give us a process or a socket: an end like any other, never an accident of the gateway. */
function explainAccident(error: unknown): ChildEnd {
  return { reason: `The engine could not be started: ${String(error)}.`, servedMs: undefined };
}

/** Callers learn that it is not their fault and when to come back; paths and causes are for the operator. */
function refusalFor(name: string, state: EmbeddedEngineState): Refusal {
  const afterMs = state.kind === 'failed' ? state.afterMs : 1000;
  return new Refusal(
    'engine_unavailable',
    'The engine of this model is not running at the moment. Try again later, or choose another model.',
    {
      retryAfterSeconds: Math.ceil(afterMs / 1000),
      cause: new Error(`embedded engine ${name} is ${state.kind}`),
    },
  );
}
