import type { Bucket } from './bucket.ts';
import type { Counted } from './meter.ts';

/** OpenAI's headers about the tightest limits, by which its clients slow down by themselves. */
export function rateHeaders(counted: readonly Counted[], nowMs: number): readonly string[] {
  let requests: Bucket | undefined;
  let tokens: Bucket | undefined;
  for (const { applied, meter } of counted) {
    requests = tighter(requests, meter.rate('requests', applied.limits, nowMs), nowMs);
    tokens = tighter(tokens, meter.rate('tokens', applied.limits, nowMs), nowMs);
  }
  const headers: string[] = [];
  if (requests !== undefined) add(headers, names.requests, requests, nowMs);
  if (tokens !== undefined) add(headers, names.tokens, tokens, nowMs);
  return headers;
}

/** Written out: to put them together for every answer costs more than to find out what is left. */
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

function tighter(known: Bucket | undefined, other: Bucket | undefined, nowMs: number): Bucket | undefined {
  if (known === undefined || other === undefined) return known ?? other;
  return other.left(nowMs) < known.left(nowMs) ? other : known;
}

function add(
  headers: string[],
  { limit, remaining, reset }: (typeof names)[keyof typeof names],
  bucket: Bucket,
  nowMs: number,
): void {
  const { perMinute } = bucket;
  headers.push(limit, String(perMinute), remaining, String(bucket.wholeLeft(nowMs)));
  // What lets nothing through never will.
  if (perMinute > 0) headers.push(reset, written(bucket.secondsUntil(perMinute, nowMs)));
}

/** As `toFixed(2)` does, which takes as long as everything else here together. */
function written(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const rest = hundredths % 100;
  return `${(hundredths - rest) / 100}.${rest < 10 ? '0' : ''}${rest}s`;
}
