import type { ParsedRequest } from '#vocabulary/inference';
import type { TokenUsage } from '#vocabulary/usage';

/** How much of the service tokens are worth against each other. */
export interface CostFactors {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

export interface Estimate {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface CostModel {
  costOf(modelId: string, usage: Pick<TokenUsage, 'inputTokens' | 'outputTokens' | 'cachedTokens'>): number;
  /** What a request will probably use: from its length, and from what its member's answers were like lately. */
  estimate(request: ParsedRequest): Estimate;
  /** Learns from what a request really used. */
  learn(request: ParsedRequest, usage: TokenUsage): void;
}

const firstTokensPerByte = 0.25;
const firstOutputTokens = 256;
/** Weight of the newest observation. */
const novelty = 0.1;
/** Members whose answers are remembered; when full, all are forgotten and learnt anew. */
const maxMembers = 10_000;

export function createCostModel(options: {
  readonly factors: CostFactors;
  /** Bigger models cost more per token. */
  readonly weightOf: (modelId: string) => number;
}): CostModel {
  const { factors, weightOf } = options;
  /** As many as there are models. */
  const learnt = new Map<string, ModelHabits>();
  let members = 0;

  function habitsOf(modelId: string): ModelHabits {
    let habits = learnt.get(modelId);
    if (habits === undefined) {
      habits = { tokensPerByte: undefined, output: undefined, outputOf: new Map() };
      learnt.set(modelId, habits);
    }
    return habits;
  }

  return {
    costOf(modelId, { inputTokens, outputTokens, cachedTokens }) {
      const cached = Math.min(cachedTokens, inputTokens);
      const tokens =
        (inputTokens - cached) * factors.input + cached * factors.cachedInput + outputTokens * factors.output;
      return tokens * weightOf(modelId);
    },
    estimate(request) {
      const { tokensPerByte, output, outputOf } = habitsOf(request.model.id);
      const expected = outputOf.get(request.share.memberId) ?? output ?? firstOutputTokens;
      const ceiling = request.maxOutputTokens ?? Infinity;
      return {
        inputTokens: request.envelope.body.length * (tokensPerByte ?? firstTokensPerByte),
        outputTokens: Math.min(expected, ceiling) * request.sequences,
      };
    },
    learn(request, usage) {
      if (usage.isEstimated || usage.inputTokens === 0) return;
      const { memberId } = request.share;
      const habits = habitsOf(request.model.id);
      habits.tokensPerByte = blend(habits.tokensPerByte, usage.inputTokens / request.envelope.body.length);
      if (request.maxOutputTokens === 0) return;
      const perSequence = usage.outputTokens / request.sequences;
      habits.output = blend(habits.output, perSequence);
      const before = habits.outputOf.get(memberId);
      if (before === undefined && ++members > maxMembers) forgetMembers();
      habits.outputOf.set(memberId, blend(before, perSequence));
    },
  };

  /** All but the one who has just come. */
  function forgetMembers(): void {
    for (const { outputOf } of learnt.values()) outputOf.clear();
    members = 1;
  }
}

interface ModelHabits {
  tokensPerByte: number | undefined;
  /** Of an answer. */
  output: number | undefined;
  readonly outputOf: Map<string, number>;
}

function blend(before: number | undefined, observed: number): number {
  return before === undefined ? observed : before + (observed - before) * novelty;
}
