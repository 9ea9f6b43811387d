import type { AnswerPlan } from '../generation/answer-plan.ts';
import { shapeOf } from '../generation/compiled-shapes.ts';
import type { CompiledShapes } from '../generation/compiled-shapes.ts';
import { contextTokensOf, fitIntoContext } from '../wire/context-limit.ts';
import type { TextRequest } from './read-text-request.ts';

export interface TextPlanParts {
  readonly contextTokens: number;
  readonly endTokens: readonly number[];
  readonly shapes: CompiledShapes;
}

/** A text completion is the bare model: no template, no thoughts, no calls. One plan per prompt. */
export function planText(
  request: TextRequest,
  prompts: readonly (readonly number[])[],
  parts: TextPlanParts,
): readonly AnswerPlan[] {
  const contextTokens = contextTokensOf(request.profile, parts.contextTokens);
  const shape = shapeOf(request.shape, parts.shapes);
  return prompts.map((tokens) => ({
    promptTokens: tokens,
    cacheSalt: request.cacheSalt,
    member: request.member,
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
      endTokens: parts.endTokens,
      bannedTokens: request.ignoresEnd ? parts.endTokens : [],
    },
    output: { thought: undefined, startsInThought: false, calls: undefined, stops: request.stops },
    endsAtEndToken: !request.ignoresEnd,
    stopTokens: request.stopTokens,
    expectedText: request.expectedText,
  }));
}
