import { noUsage, type TokenUsage } from '#vocabulary/usage';

/** What an engine says of a whole answer; nothing when it does not say. */
export function toldUsage(body: string): TokenUsage {
  try {
    const { usage } = JSON.parse(body) as {
      usage?: {
        prompt_tokens?: unknown;
        completion_tokens?: unknown;
        prompt_tokens_details?: { cached_tokens?: unknown } | null;
      };
    };
    return {
      ...noUsage,
      inputTokens: countOf(usage?.prompt_tokens),
      outputTokens: countOf(usage?.completion_tokens),
      cachedTokens: countOf(usage?.prompt_tokens_details?.cached_tokens),
    };
  } catch {
    return noUsage;
  }
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;
}
