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
  // Names are written out: to put them together for every answer costs more than to find out what is left.
  const headers: string[] = [];
  if (requests !== undefined)
    headers.push(
      'x-ratelimit-limit-requests',
      String(requests.perMinute),
      'x-ratelimit-remaining-requests',
      String(requests.wholeLeft(nowMs)),
      'x-ratelimit-reset-requests',
      written(requests.secondsUntil(requests.perMinute, nowMs)),
    );
  if (tokens !== undefined)
    headers.push(
      'x-ratelimit-limit-tokens',
      String(tokens.perMinute),
      'x-ratelimit-remaining-tokens',
      String(tokens.wholeLeft(nowMs)),
      'x-ratelimit-reset-tokens',
      written(tokens.secondsUntil(tokens.perMinute, nowMs)),
    );
  return headers;
}

function tighter(known: Bucket | undefined, other: Bucket | undefined, nowMs: number): Bucket | undefined {
  if (known === undefined || other === undefined) return known ?? other;
  return other.left(nowMs) < known.left(nowMs) ? other : known;
}

/** As `toFixed(2)` does, which takes as long as everything else here together. */
function written(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const rest = hundredths % 100;
  return `${(hundredths - rest) / 100}.${rest < 10 ? '0' : ''}${rest}s`;
}
