/** How patient the supervisor is. Tests own every number. */
export interface SupervisionPolicy {
  /** Undefined: a minute, and longer for large files (`startLimitFor`). */
  readonly startLimitMs: number | undefined;
  readonly firstRestartMs: number;
  readonly longestRestartMs: number;
  /** After this many ends in a row without a healthy stretch the engine counts as failed. */
  readonly failuresUntilFailed: number;
  readonly failedRetryMs: number;
  readonly healthyMs: number;
  readonly stopLimitMs: number;
  /** Requests already on their way may still reach an engine that is being replaced. */
  readonly farewellMs: number;
  /** How long the answers of a replaced engine may go on, and how long when the new one waits for its memory. */
  readonly retireLimitMs: number;
  readonly crowdedRetireLimitMs: number;
  readonly memoryCheckMs: number;
  readonly livenessCheckMs: number;
  readonly livenessStrikes: number;
}

export const usualPolicy: SupervisionPolicy = {
  startLimitMs: undefined,
  firstRestartMs: 250,
  longestRestartMs: 30_000,
  failuresUntilFailed: 6,
  failedRetryMs: 60_000,
  healthyMs: 60_000,
  stopLimitMs: 8_000,
  farewellMs: 300,
  retireLimitMs: 600_000,
  crowdedRetireLimitMs: 60_000,
  memoryCheckMs: 2_000,
  livenessCheckMs: 10_000,
  livenessStrikes: 3,
};

/** Slow disks read 30 MB/s; whoever is slower than that is stuck. */
export function startLimitFor(fileBytes: number, policy: SupervisionPolicy): number {
  return policy.startLimitMs ?? 60_000 + fileBytes / 30_000;
}

/** Doubles with every failure; jitter keeps engines that died together from starting together. */
export function restartDelayMs(failures: number, policy: SupervisionPolicy, random: () => number): number {
  const fullMs = Math.min(policy.firstRestartMs * 2 ** (failures - 1), policy.longestRestartMs);
  return Math.round(fullMs * (0.5 + random() / 2));
}
