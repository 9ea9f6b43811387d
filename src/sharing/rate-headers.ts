import type { Bucket } from './bucket.ts';
import type { Counted, RateKind } from './meter.ts';

/** OpenAI's headers about the tightest limits, by which its clients slow down by themselves. */
export function rateHeaders(counted: readonly Counted[], nowMs: number): readonly string[] {
  const headers: string[] = [];
  addTightest(headers, 'requests', counted, nowMs);
  addTightest(headers, 'tokens', counted, nowMs);
  return headers;
}

/** Names are written out: to put them together for every answer costs more than to find out what is left. */
const names = {
  requests: {
    limit: 'x-ratelimit-limit-requests',
    remaining: 'x-ratelimit-remaining-requests',
    reset: 'x-ratelimit-reset-requests',
  },
  tokens: {
    limit: 'x-ratelimit-limit-tokens',
    remaining: 'x-ratelimit-remaining-tokens',
    reset: 'x-ratelimit-reset-tokens',
  },
} as const;

function addTightest(headers: string[], kind: RateKind, counted: readonly Counted[], nowMs: number): void {
  let tightest: Bucket | undefined;
  let left = Infinity;
  for (const { applied, meter } of counted) {
    const bucket = meter.rate(kind, applied.limits, nowMs);
    const leftOfIt = bucket?.wholeLeft(nowMs) ?? Infinity;
    if (leftOfIt >= left) continue;
    tightest = bucket;
    left = leftOfIt;
  }
  if (tightest === undefined) return;
  const { limit, remaining, reset } = names[kind];
  const { perMinute } = tightest;
  headers.push(limit, String(perMinute), remaining, String(left));
  headers.push(reset, written(tightest.secondsUntil(perMinute, nowMs)));
}

/** As `toFixed(2)` does, which takes as long as everything else here together. */
function written(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const rest = hundredths % 100;
  return `${(hundredths - rest) / 100}.${rest < 10 ? '0' : ''}${rest}s`;
}
