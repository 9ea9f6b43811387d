/** How tokens are chosen; resolved, so that nothing is left to defaults further down. */
export interface SamplingParameters {
  /** 0 chooses the likeliest token. */
  readonly temperature: number;
  /** 0 is off. */
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly seed: number;
  readonly presencePenalty: number;
  readonly frequencyPenalty: number;
  /** 1 is off. */
  readonly repetitionPenalty: number;
  readonly logitBias: ReadonlyMap<number, number>;
}

/** Always the likeliest token, and nothing else. */
export const greedy: SamplingParameters = {
  temperature: 0,
  topK: 0,
  topP: 1,
  minP: 0,
  seed: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  repetitionPenalty: 1,
  logitBias: new Map(),
};
