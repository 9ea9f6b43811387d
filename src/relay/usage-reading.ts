import type { TokenUsage } from '#vocabulary/usage';

/** The last `"usage": {…}` in a piece of JSON text, read without parsing the rest. */
export function findUsage(bytes: Buffer): TokenUsage | undefined {
  let at = bytes.lastIndexOf('"usage"');
  while (at >= 0) {
    const usage = usageAt(bytes, at + '"usage"'.length);
    if (usage !== undefined) return usage;
    at = at === 0 ? -1 : bytes.lastIndexOf('"usage"', at - 1);
  }
  return undefined;
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
  return {
    inputTokens: input ?? 0,
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

const MAX_USAGE_BYTES = 4096;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function usageAt(bytes: Buffer, from: number): TokenUsage | undefined {
  const start = skipBlanks(bytes, from);
  if (bytes[start] !== COLON) return undefined;
  const open = skipBlanks(bytes, start + 1);
  if (bytes[open] !== OPEN_BRACE) return undefined;
  const limit = Math.min(bytes.length, open + MAX_USAGE_BYTES);
  let depth = 0;
  for (let at = open; at < limit; at++) {
    const byte = bytes[at];
    if (byte === OPEN_BRACE) depth++;
    else if (byte === CLOSE_BRACE && --depth === 0) return parse(bytes.toString('latin1', open, at + 1));
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
