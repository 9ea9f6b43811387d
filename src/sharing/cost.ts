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
  const tokensPerByte = new Map<string, number>();
  const outputOfModel = new Map<string, number>();
  const outputOfMember = new Map<string, number>();

  return {
    costOf(modelId, { inputTokens, outputTokens, cachedTokens }) {
      const cached = Math.min(cachedTokens, inputTokens);
      const tokens =
        (inputTokens - cached) * factors.input + cached * factors.cachedInput + outputTokens * factors.output;
      return tokens * weightOf(modelId);
    },
    estimate(request) {
      const { memberId } = request.share;
      const modelId = request.model.id;
      const expected =
        outputOfMember.get(`${memberId} ${modelId}`) ?? outputOfModel.get(modelId) ?? firstOutputTokens;
      const ceiling = request.maxOutputTokens ?? Infinity;
      return {
        inputTokens: request.envelope.body.length * (tokensPerByte.get(modelId) ?? firstTokensPerByte),
        outputTokens: Math.min(expected, ceiling) * request.sequences,
      };
    },
    learn(request, usage) {
      if (usage.isEstimated || usage.inputTokens === 0) return;
      const modelId = request.model.id;
      blend(tokensPerByte, modelId, usage.inputTokens / request.envelope.body.length);
      const perSequence = usage.outputTokens / request.sequences;
      blend(outputOfModel, modelId, perSequence);
      if (outputOfMember.size >= maxMembers) outputOfMember.clear();
      blend(outputOfMember, `${request.share.memberId} ${modelId}`, perSequence);
    },
  };
}

function blend(known: Map<string, number>, name: string, observed: number): void {
  const before = known.get(name);
  known.set(name, before === undefined ? observed : before + (observed - before) * novelty);
}
