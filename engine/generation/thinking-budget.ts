/** How long a model may think before it must answer. */
export interface ThinkingRules {
  readonly openTokens: readonly number[];
  /** The closing marker and the blank line that models put after it. */
  readonly closeText: string;
  /** Undefined: as long as there is room for an answer. */
  readonly budgetTokens: number | undefined;
}

export interface ThoughtProgress {
  readonly thinking: ThinkingRules;
  readonly thoughtTokens: number;
  /** The last characters written. */
  readonly thoughtTail: string;
  readonly leftTokens: number;
  readonly maxTokens: number;
}

/** Requests for fewer tokens than this are cut wherever they are: there is no room for thought and answer. */
const leastTokensForAnswer = 16;
const mostTokensForAnswer = 256;
/** From here on a thought is closed at the end of a sentence, so that it is rarely cut in the middle. */
const softShare = 0.85;

export function shouldCloseThought(progress: ThoughtProgress): boolean {
  const { thinking, thoughtTokens, thoughtTail, leftTokens, maxTokens } = progress;
  const answerTokens = Math.min(Math.floor(maxTokens / 4), mostTokensForAnswer);
  const mayReserve = maxTokens >= leastTokensForAnswer;
  const budget = Math.min(
    thinking.budgetTokens ?? Infinity,
    mayReserve ? thoughtTokens + leftTokens - answerTokens : Infinity,
  );
  if (thoughtTokens >= budget) return true;
  return thoughtTokens >= budget * softShare && /[.!?\n]\s*$/.test(thoughtTail);
}
