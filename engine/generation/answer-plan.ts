import type { OutputParserOptions } from '../output/output-parser.ts';
import type { SamplingParameters } from '../sampling/sampling-parameters.ts';
import type { AnswerRules } from './answer-guide.ts';

/** Everything decided before the first token of an answer. */
export interface AnswerPlan {
  readonly promptTokens: readonly number[];
  readonly cacheSalt: string;
  readonly member: string;
  readonly choiceCount: number;
  readonly sampling: SamplingParameters;
  readonly alternatives: number | undefined;
  readonly scoresPrompt: boolean;
  readonly rules: AnswerRules;
  readonly output: OutputParserOptions;
  readonly endsAtEndToken: boolean;
  readonly stopTokens: readonly number[];
  /** What the answer will probably be, word for word. */
  readonly expectedText: string | undefined;
}
