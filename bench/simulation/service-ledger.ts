import type { Clock } from '#vocabulary/clock';

/** What everybody got, moment by moment. */
export interface ServiceLedger {
  note(name: string, cost: number): void;
  total(name: string): number;
  /** The largest difference that was ever seen between any two of these, each over its weight. */
  largestGap(): number;
  /** Jain's index in every window of this length that begins later. */
  jainOver(windowMs: number, names: readonly string[], fromMs?: number): number[];
}

const tickMs = 50;

export function createServiceLedger(clock: Clock, watched: readonly string[] = []): ServiceLedger {
  const totals = new Map<string, number>();
  const ticks: Map<string, number>[] = [];
  let gap = 0;
  return {
    note(name, cost) {
      totals.set(name, (totals.get(name) ?? 0) + cost);
      const tick = Math.floor(clock.monotonicMs() / tickMs);
      const amounts = (ticks[tick] ??= new Map());
      amounts.set(name, (amounts.get(name) ?? 0) + cost);
      if (watched.length === 0) return;
      const all = watched.map((each) => totals.get(each) ?? 0);
      gap = Math.max(gap, Math.max(...all) - Math.min(...all));
    },
    total: (name) => totals.get(name) ?? 0,
    largestGap: () => gap,
    jainOver(windowMs, names, fromMs = 0) {
      const length = Math.max(1, Math.round(windowMs / tickMs));
      const indices: number[] = [];
      for (let from = Math.round(fromMs / tickMs); from + length <= ticks.length; from++) {
        const sums = names.map((name) => {
          let sum = 0;
          for (let tick = from; tick < from + length; tick++) sum += ticks[tick]?.get(name) ?? 0;
          return sum;
        });
        indices.push(jain(sums));
      }
      return indices;
    },
  };
}

/** 1 when everybody got the same, 1/n when one got everything. */
export function jain(amounts: readonly number[]): number {
  const sum = amounts.reduce((a, b) => a + b, 0);
  const squares = amounts.reduce((a, b) => a + b * b, 0);
  return squares === 0 ? 1 : (sum * sum) / (amounts.length * squares);
}

export function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}
