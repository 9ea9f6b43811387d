import type { Clock } from '#vocabulary/clock';
import {
  addAmounts,
  firstTokenQuantileMs,
  noAmounts,
  type ServiceAmounts,
  type ServiceHistoryStore,
  type StretchLength,
  stretchMs,
} from '#vocabulary/service-history';
import type { History, HistorySpan } from '#contract/operations';

const spans: Readonly<Record<HistorySpan, { length: StretchLength; stepMs: number; steps: number }>> = {
  day: { length: 'five-minutes', stepMs: 1_800_000, steps: 48 },
  month: { length: 'hour', stepMs: 86_400_000, steps: 30 },
};

/** All models together, in steps that a chart can show. */
export async function readHistory(
  store: ServiceHistoryStore,
  clock: Clock,
  span: HistorySpan,
): Promise<History> {
  const { length, stepMs, steps } = spans[span];
  const now = clock.wallMs();
  const lastStep = now - (now % stepMs);
  const from = lastStep - (steps - 1) * stepMs;
  const sums = new Map<number, ServiceAmounts>();
  /** Every model was watched at the same time: the time counts once. */
  const watched = new Map<number, Map<number, number>>();
  for (const stretch of await store.read(length, from)) {
    const at = stretch.startsAt - (stretch.startsAt % stepMs);
    sums.set(at, addAmounts(sums.get(at) ?? noAmounts, stretch));
    const seconds = watched.get(at) ?? new Map<number, number>();
    const longest = Math.max(seconds.get(stretch.startsAt) ?? 0, stretch.secondsSeen);
    watched.set(at, seconds.set(stretch.startsAt, Math.min(longest, stretchMs[length] / 1000)));
  }
  const points = [...sums].map(([at, amounts]) => {
    const seconds = [...(watched.get(at)?.values() ?? [])].reduce((total, each) => total + each, 0);
    const perSecond = (amount: number) => (seconds === 0 ? 0 : Math.round((amount / seconds) * 100) / 100);
    return {
      at,
      requests: amounts.requests,
      failures: amounts.failures,
      outputTokens: amounts.outputTokens,
      waiting: perSecond(amounts.waitingSeconds),
      running: perSecond(amounts.runningSeconds),
      firstTokenMs: firstTokenQuantileMs(amounts.firstTokens, 0.5) ?? null,
      slowFirstTokenMs: firstTokenQuantileMs(amounts.firstTokens, 0.95) ?? null,
    };
  });
  return { from, to: lastStep + stepMs, stepMs, points };
}
