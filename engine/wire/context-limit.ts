import { Refusal } from '#vocabulary/refusal';
import type { EngineProfile } from '../engine-profile.ts';

/** The context of one answer, with its prompt: the engine's own, or less where the model id is given less. */
export function contextTokensOf(profile: EngineProfile, contextTokens: number): number {
  return Math.min(contextTokens, profile.contextTokens ?? contextTokens);
}

/** vLLM's sentence: clients recognise an overflow by it. */
export function fitIntoContext(
  promptTokens: number,
  wantedTokens: number | undefined,
  contextTokens: number,
  param: string,
): number {
  const roomTokens = contextTokens - promptTokens;
  if (roomTokens >= (wantedTokens ?? 1)) return wantedTokens ?? roomTokens;
  throw new Refusal(
    'context_length_exceeded',
    `This model's maximum context length is ${contextTokens} tokens. However, you requested ${wantedTokens ?? 1} output tokens and your prompt contains ${promptTokens} input tokens, ${promptTokens + (wantedTokens ?? 1)} in all. Shorten the prompt or ask for fewer tokens.`,
    { param },
  );
}

/** Refuses what can never fit as soon as that is known, so that nobody works on it. */
export function refuseIfHopeless(leastPromptTokens: number, contextTokens: number, param: string): void {
  if (leastPromptTokens <= contextTokens) return;
  throw new Refusal(
    'context_length_exceeded',
    `This model's maximum context length is ${contextTokens} tokens. However, your prompt contains at least ${leastPromptTokens} input tokens. Shorten it.`,
    { param },
  );
}

/** For counting while a text is read: what is a little too long is counted to its end, to say how much. */
export function stopWhenHopeless(contextTokens: number, param: string): (tokens: number) => void {
  return (tokens) => {
    if (tokens > contextTokens * 2) refuseIfHopeless(tokens, contextTokens, param);
  };
}

/** A larger body holds no prompt that fits, even if JSON spells each of its bytes with six. */
export function mostBodyBytes(contextTokens: number, longestTokenBytes: number): number {
  return Math.min(largestBodyBytes, contextTokens * longestTokenBytes * 6 + besideThePromptBytes);
}

const largestBodyBytes = 32 * 1024 * 1024;
/** Schemas and the like. */
const besideThePromptBytes = 1024 * 1024;
