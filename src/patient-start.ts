import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';

/** A database that is lost while the service starts is waited for no longer than this. */
const patienceMs = 60_000;
const tryAgainMs = 1_000;

/** A step of the start that reads from the database: once more when it was lost on the way, and the console says so. */
export async function patiently<Result>(logger: Logger, step: () => Promise<Result>): Promise<Result> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;)
    try {
      return await step();
    } catch (problem) {
      if (!isDatabaseLost(problem) || performance.now() > giveUpAt) throw problem;
      logger.warn({ error: problem }, 'the database was lost during the start: waiting for it');
      await sleep(tryAgainMs);
    }
}

/** It was there a moment ago, and the rooms say what they would say to a caller. */
export function isDatabaseLost(problem: unknown): boolean {
  return problem instanceof Refusal && problem.code === 'database_unavailable';
}
