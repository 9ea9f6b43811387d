import type { Counted } from './meter.ts';

/** OpenAI's headers about the tightest limits, by which its clients slow down by themselves. */
export function rateHeaders(counted: readonly Counted[]): readonly string[] {
  let requests: Tightest | undefined;
  let tokens: Tightest | undefined;
  for (const { applied, meter } of counted) {
    const { requestsPerMinute, tokensPerMinute } = applied.limits;
    if (requestsPerMinute === undefined && tokensPerMinute === undefined) continue;
    const remaining = meter.remaining(applied.limits);
    requests = tighter(requests, requestsPerMinute, remaining.requests);
    tokens = tighter(tokens, tokensPerMinute, remaining.tokens);
  }
  return [...headersOf('requests', requests), ...headersOf('tokens', tokens)];
}

interface Tightest {
  readonly amount: number;
  readonly left: number;
  readonly seconds: number;
}

function tighter(
  known: Tightest | undefined,
  amount: number | undefined,
  remaining: { readonly left: number; readonly seconds: number } | undefined,
): Tightest | undefined {
  if (amount === undefined || remaining === undefined) return known;
  return known === undefined || remaining.left < known.left ? { amount, ...remaining } : known;
}

function headersOf(what: 'requests' | 'tokens', tightest: Tightest | undefined): string[] {
  if (tightest === undefined) return [];
  return [
    `x-ratelimit-limit-${what}`,
    String(tightest.amount),
    `x-ratelimit-remaining-${what}`,
    String(tightest.left),
    `x-ratelimit-reset-${what}`,
    `${tightest.seconds.toFixed(2)}s`,
  ];
}
