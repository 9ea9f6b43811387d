import type { ChildProcess } from 'node:child_process';
import type { Clock } from '#vocabulary/clock';
import type { EmbeddedEngineFacts } from '#vocabulary/embedded-engine';
import type { Logger } from '#vocabulary/logger';
import { type ChildOrder, readChildMessage } from './child-contract.ts';
import { joinChildLogs } from './join-child-logs.ts';
import { residentBytes } from './resident-memory.ts';
import type { SupervisionPolicy } from './supervision-policy.ts';
import { watchLiveness } from './watch-liveness.ts';

export interface ChildRunParts {
  readonly child: ChildProcess;
  readonly socketPath: string;
  readonly startLimitMs: number;
  readonly memoryLimitBytes: () => number | undefined;
  readonly policy: SupervisionPolicy;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly onReady: (facts: EmbeddedEngineFacts) => void;
}

export interface ChildEnd {
  /** A sentence for the operator. */
  readonly reason: string;
  /** How long it had been serving; undefined when it never became ready. */
  readonly servedMs: number | undefined;
}

export interface ChildRun {
  readonly processId: number | undefined;
  readonly memoryBytes: () => number | undefined;
  readonly ended: Promise<ChildEnd>;
  /** To a process that is ready. */
  tell(order: ChildOrder): void;
  /** Politely first; by force after the limit of the policy. */
  stop(): void;
}

/** Watches one engine process from its start to its end. */
export function watchChild(parts: ChildRunParts): ChildRun {
  const { child, policy, clock } = parts;
  const { promise: ended, resolve: end } = Promise.withResolvers<ChildEnd>();
  const timers: NodeJS.Timeout[] = [];
  let memoryBytes: number | undefined;
  let readyAtMs: number | undefined;
  let reason: string | undefined;
  let failure: string | undefined;
  let stopWatchingLiveness = () => {};

  const nowMs = () => clock.monotonicMs();
  const logs = child.stderr === null ? undefined : joinChildLogs(child.stderr, parts.logger, nowMs);
  if (child.stdout !== null) joinChildLogs(child.stdout, parts.logger, nowMs);

  const killFor = (sentence: string): void => {
    reason ??= sentence;
    child.kill('SIGKILL');
  };

  const startTimer = setTimeout(
    () => killFor(`The engine was not ready within ${seconds(parts.startLimitMs)} s and was ended.`),
    parts.startLimitMs,
  );
  const memoryTimer = setInterval(() => void checkMemory(), policy.memoryCheckMs);
  timers.push(startTimer, memoryTimer);

  child.on('message', (message) => {
    const heard = readChildMessage(message);
    if (heard?.type === 'failed') failure = heard.reason;
    if (heard?.type !== 'ready' || readyAtMs !== undefined) return;
    readyAtMs = clock.monotonicMs();
    clearTimeout(startTimer);
    memoryBytes ??= heard.facts.memoryBytes;
    stopWatchingLiveness = watchLiveness(parts.socketPath, policy, () =>
      killFor('The engine stopped answering on its socket and was ended.'),
    );
    parts.onReady(heard.facts);
  });
  child.on('error', (error) => {
    // Also raised when a signal cannot be sent; only a child that never started ends here.
    if (child.pid === undefined) finish(`The engine could not be started: ${error.message}.`);
  });
  child.on('exit', (code, signal) => {
    // The last log lines often explain the end; a stray holder of the pipe must not keep us waiting for them.
    const explain = () =>
      finish(
        reason ??
          (failure === undefined
            ? describeExit(code, signal, logs?.lastWords())
            : describeFailedStart(failure, logs?.lastWords())),
      );
    child.once('close', explain);
    timers.push(setTimeout(explain, 1000));
  });

  async function checkMemory(): Promise<void> {
    if (child.pid === undefined || child.exitCode !== null) return;
    memoryBytes = (await residentBytes(child.pid)) ?? memoryBytes;
    const limitBytes = parts.memoryLimitBytes() ?? Infinity;
    if (memoryBytes !== undefined && memoryBytes > limitBytes)
      killFor(
        `The engine used ${megabytes(memoryBytes)} MB of memory, more than its limit of ${megabytes(limitBytes)} MB, and was ended. Lower its context or maxConcurrent, choose a smaller model, or raise memoryLimit.`,
      );
  }

  function finish(sentence: string): void {
    for (const timer of timers) clearTimeout(timer);
    stopWatchingLiveness();
    end({
      reason: sentence,
      servedMs: readyAtMs === undefined ? undefined : clock.monotonicMs() - readyAtMs,
    });
  }

  return {
    processId: child.pid,
    memoryBytes: () => memoryBytes,
    ended,
    tell(order) {
      if (order.type === 'finish') stopWatchingLiveness();
      if (child.connected) child.send(order, () => {});
    },
    stop() {
      child.kill('SIGTERM');
      timers.push(setTimeout(() => child.kill('SIGKILL'), policy.stopLimitMs));
    },
  };
}

function describeFailedStart(reported: string, lastWords: string | undefined): string {
  const cause = lastWords === undefined ? '' : ` (${lastWords.slice(0, 300)})`;
  return `The engine could not start: ${reported.replace(/\.$/, '')}${cause}. Look at the file with "gatehouse models inspect", and at the free memory of the machine.`;
}

function describeExit(code: number | null, signal: string | null, lastWords: string | undefined): string {
  const how = signal === null ? `with code ${code}` : `by signal ${signal}`;
  const hint = signal === 'SIGKILL' ? ' If nobody did this, the machine may have run out of memory.' : '';
  const words = lastWords === undefined ? '' : ` Its last words: ${lastWords.slice(0, 300)}`;
  return `The engine process ended ${how}.${hint}${words}`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(ms < 10_000 ? 1 : 0);
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}
