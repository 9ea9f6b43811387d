import type { TokenUsage } from '#vocabulary/usage';

/** The last `"usage": {…}` in a piece of JSON text, read without parsing the rest. */
export function findUsage(bytes: Buffer): TokenUsage | undefined {
  let at = bytes.lastIndexOf(usageKey);
  while (at >= 0) {
    const usage = usageAt(bytes, at + usageKey.length);
    if (usage !== undefined) return usage;
    at = at === 0 ? -1 : bytes.lastIndexOf(usageKey, at - 1);
  }
  return undefined;
}

/** Every usage in a piece of a stream, put together: the messages dialect tells the input first and the output last. */
export function findStreamedUsage(frames: Buffer): TokenUsage | undefined {
  let merged: TokenUsage | undefined;
  for (let at = frames.indexOf(usageKey); at >= 0; at = frames.indexOf(usageKey, at + 1))
    merged = mergeUsage(merged, usageAt(frames, at + usageKey.length));
  return merged;
}

/** Some dialects report input first and output last; the larger number is the later one. */
export function mergeUsage(
  known: TokenUsage | undefined,
  found: TokenUsage | undefined,
): TokenUsage | undefined {
  if (known === undefined || found === undefined) return found ?? known;
  return {
    inputTokens: Math.max(known.inputTokens, found.inputTokens),
    outputTokens: Math.max(known.outputTokens, found.outputTokens),
    cachedTokens: Math.max(known.cachedTokens, found.cachedTokens),
    reasoningTokens: Math.max(known.reasoningTokens, found.reasoningTokens),
    isEstimated: false,
  };
}

/** What an engine reports, in OpenAI's names or in those of the responses and messages dialects. */
export function readUsage(value: unknown): TokenUsage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const usage = value as Record<string, unknown>;
  const input = count(usage.prompt_tokens) ?? count(usage.input_tokens);
  const output = count(usage.completion_tokens) ?? count(usage.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  const inputDetails = record(usage.prompt_tokens_details ?? usage.input_tokens_details);
  const outputDetails = record(usage.completion_tokens_details ?? usage.output_tokens_details);
  // The messages dialect counts what came from a cache, or went into one, beside the rest of the input.
  const beside =
    (count(usage.cache_read_input_tokens) ?? 0) + (count(usage.cache_creation_input_tokens) ?? 0);
  return {
    inputTokens: (input ?? 0) + beside,
    outputTokens: output ?? 0,
    cachedTokens: count(inputDetails.cached_tokens) ?? count(usage.cache_read_input_tokens) ?? 0,
    reasoningTokens: count(outputDetails.reasoning_tokens) ?? count(usage.reasoning_tokens) ?? 0,
    isEstimated: false,
  };
}

/** When the engine never told: a frame is about a token, four bytes of a request are about a token. */
export function estimateUsage(requestBytes: number, frames: number): TokenUsage {
  return {
    inputTokens: Math.ceil(requestBytes / 4),
    outputTokens: Math.max(0, frames - 1),
    cachedTokens: 0,
    reasoningTokens: 0,
    isEstimated: true,
  };
}

const usageKey = Buffer.from('"usage"');
const maxUsageBytes = 4096;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function usageAt(bytes: Buffer, from: number): TokenUsage | undefined {
  const start = skipBlanks(bytes, from);
  if (bytes[start] !== colon) return undefined;
  const open = skipBlanks(bytes, start + 1);
  if (bytes[open] !== openBrace) return undefined;
  const limit = Math.min(bytes.length, open + maxUsageBytes);
  let depth = 0;
  for (let at = open; at < limit; at++) {
    const byte = bytes[at];
    if (byte === openBrace) depth++;
    else if (byte === closeBrace && --depth === 0) return parse(bytes.toString('latin1', open, at + 1));
  }
  return undefined;
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

function parse(text: string): TokenUsage | undefined {
  try {
    return readUsage(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
