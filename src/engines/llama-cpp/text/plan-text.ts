import type { AnswerPlan } from '../generation/answer-plan.ts';
import { compileShape } from '../generation/compile-shape.ts';
import { fitIntoContext } from '../wire/read-generation.ts';
import type { TextRequest } from './read-text-request.ts';

export interface TextPlanParts {
  readonly contextTokens: number;
  readonly endTokens: readonly number[];
}

/** A text completion is the bare model: no template, no thoughts, no calls. One plan per prompt. */
export function planText(request: TextRequest, parts: TextPlanParts): readonly AnswerPlan[] {
  const contextTokens = Math.min(parts.contextTokens, request.profile.contextTokens ?? parts.contextTokens);
  const shape = request.shape === undefined ? undefined : compileShape(request.shape);
  return request.prompts.map(({ tokens }) => ({
    promptTokens: tokens,
    choiceCount: request.choiceCount,
    sampling: request.sampling,
    alternatives: request.alternatives,
    scoresPrompt: request.echoesPrompt && request.alternatives !== undefined,
    rules: {
      maxTokens: fitIntoContext(tokens.length, request.maxTokens, contextTokens, 'prompt'),
      minTokens: request.minTokens,
      thinking: undefined,
      shape,
      calls: undefined,
      bannedTokens: request.ignoresEnd ? parts.endTokens : [],
    },
    output: { thought: undefined, startsInThought: false, calls: undefined, stops: request.stops },
    endsAtEndToken: !request.ignoresEnd,
    stopTokens: request.stopTokens,
  }));
}
