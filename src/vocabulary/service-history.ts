/** How the models did, added up over stretches of time. */

/** As long as a point of a chart, or a bar of the status page, stands for. */
export type StretchLength = 'five-minutes' | 'hour' | 'day';

export const stretchMs: Readonly<Record<StretchLength, number>> = {
  'five-minutes': 300_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** First tokens are counted by how soon they came: within so many milliseconds, and a last count for later ones. */
export const firstTokenBoundsMs = [100, 250, 500, 1000, 2000, 5000, 10_000, 30_000] as const;

/** What happened to one model. Everything here can be added up. */
export interface ServiceAmounts {
  /** Generations that an engine took on, and those of them that it failed. */
  readonly requests: number;
  readonly failures: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** How long the model was watched, and for how much of that it could answer. */
  readonly secondsSeen: number;
  readonly secondsUp: number;
  /** The number of requests that waited or ran, times how long. */
  readonly waitingSeconds: number;
  readonly runningSeconds: number;
  /** One count for each of `firstTokenBoundsMs`, and one more; waiting in the line included. */
  readonly firstTokens: readonly number[];
}

export interface ServiceStretch extends ServiceAmounts {
  readonly length: StretchLength;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly startsAt: number;
}

export interface ServiceHistoryStore {
  /** Adds to what is there, in one step. Other processes add too. */
  add(stretches: readonly ServiceStretch[]): Promise<void>;
  /** From the stretch that began at `since` on, in order of time. */
  read(length: StretchLength, since: number): Promise<readonly ServiceStretch[]>;
  forget(length: StretchLength, startedBefore: number): Promise<void>;
}

export const noAmounts: ServiceAmounts = {
  requests: 0,
  failures: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  secondsSeen: 0,
  secondsUp: 0,
  waitingSeconds: 0,
  runningSeconds: 0,
  firstTokens: [...firstTokenBoundsMs.map(() => 0), 0],
};

/** The same, still being counted. */
export type CountedAmounts = { -readonly [Name in keyof ServiceAmounts]: ServiceAmounts[Name] } & {
  readonly firstTokens: number[];
};

export function addAmounts(one: ServiceAmounts, other: ServiceAmounts): CountedAmounts {
  return {
    requests: one.requests + other.requests,
    failures: one.failures + other.failures,
    inputTokens: one.inputTokens + other.inputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    secondsSeen: one.secondsSeen + other.secondsSeen,
    secondsUp: one.secondsUp + other.secondsUp,
    waitingSeconds: one.waitingSeconds + other.waitingSeconds,
    runningSeconds: one.runningSeconds + other.runningSeconds,
    firstTokens: one.firstTokens.map((count, index) => count + (other.firstTokens[index] ?? 0)),
  };
}

export function firstTokenBucket(ms: number): number {
  const index = firstTokenBoundsMs.findIndex((bound) => ms <= bound);
  return index < 0 ? firstTokenBoundsMs.length : index;
}

/** The time within which this part of the first tokens came, as well as the counts tell; undefined without any. */
export function firstTokenQuantileMs(counts: readonly number[], part: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const wanted = part * total;
  let before = 0;
  for (const [index, count] of counts.entries()) {
    const upper = firstTokenBoundsMs[index];
    // Beyond the last bound nothing is known but that it took longer.
    if (upper === undefined) break;
    if (count > 0 && before + count >= wanted) {
      const lower = index === 0 ? 0 : (firstTokenBoundsMs[index - 1] ?? 0);
      return Math.round(lower + ((upper - lower) * (wanted - before)) / count);
    }
    before += count;
  }
  return firstTokenBoundsMs.at(-1);
}
