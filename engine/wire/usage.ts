import type { ChoiceCounts } from '../generation/choice-writer.ts';

/** The `usage` object of an answer. */
export interface WireUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

/** Counts what the choices of one answer use, while they are being written. */
export interface UsageTally {
  promptRead(cachedTokens: number): void;
  counted(choice: number, counts: ChoiceCounts): void;
  usage(): WireUsage;
}

/** The prompt is counted once, however many choices are made from it. */
export function createUsageTally(promptTokens: number): UsageTally {
  const choices: ChoiceCounts[] = [];
  let cached = 0;
  const sum = (of: (counts: ChoiceCounts) => number): number =>
    choices.reduce((total, counts) => total + of(counts), 0);
  return {
    promptRead: (cachedTokens) => {
      cached = cachedTokens;
    },
    counted: (choice, counts) => {
      choices[choice] = counts;
    },
    usage: () => {
      const completionTokens = sum((counts) => counts.completionTokens);
      return {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
        prompt_tokens_details: { cached_tokens: cached },
        completion_tokens_details: { reasoning_tokens: sum((counts) => counts.reasoningTokens) },
      };
    },
  };
}
