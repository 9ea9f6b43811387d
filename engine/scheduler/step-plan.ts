/** What one sequence still has to read before its next token can be chosen. */
export interface PendingWork {
  readonly pendingTokens: number;
  /** True while the prompt is being read, false once it writes. */
  readonly isReading: boolean;
}

export interface StepLimits {
  readonly batchTokens: number;
  readonly chunkTokens: number;
  /** Prompt tokens per step while somebody is writing, so that streams keep flowing. */
  readonly readingTokensBesideWriters: number;
}

/**
 * How many tokens each sequence gets in the next step. Writers always move; readers share what is left evenly,
 * so that a short prompt is not kept waiting by a long one.
 */
export function planStep(work: readonly PendingWork[], limits: StepLimits): number[] {
  const plan = work.map(({ isReading, pendingTokens }) =>
    isReading ? 0 : Math.min(pendingTokens, limits.chunkTokens),
  );
  const writingTokens = plan.reduce((total, tokens) => total + tokens, 0);
  const left = limits.batchTokens - writingTokens;
  let budget = writingTokens > 0 ? Math.min(left, limits.readingTokensBesideWriters) : left;

  const readers = work
    .map(({ isReading, pendingTokens }, index) => ({ index, isReading, pendingTokens }))
    .filter(({ isReading }) => isReading)
    .sort((first, second) => first.pendingTokens - second.pendingTokens);
  for (const [turn, reader] of readers.entries()) {
    const share = Math.ceil(budget / (readers.length - turn));
    const tokens = Math.min(share, reader.pendingTokens, limits.chunkTokens);
    plan[reader.index] = tokens;
    budget -= tokens;
  }
  return plan;
}
