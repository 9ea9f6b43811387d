import type { SamplingParameters } from './sampling-parameters.ts';

export interface Candidate {
  readonly token: number;
  readonly logit: number;
}

/** What the sequence holds so far, for penalties. */
export interface SequenceHistory {
  readonly promptTokens: readonly number[];
  readonly outputTokens: readonly number[];
}

/**
 * The native sampler's chain in TypeScript, for steps where only some tokens are allowed. `candidates` come
 * highest first and are never empty.
 */
export function chooseCandidate(
  candidates: readonly Candidate[],
  parameters: SamplingParameters,
  history: SequenceHistory,
  random: () => number,
): number {
  const scored = adjust(candidates, parameters, history);
  const best = scored[0];
  if (best === undefined) throw new Error('No candidate to choose from.');
  if (parameters.temperature === 0) return best.token;

  const kept = parameters.topK > 0 ? scored.slice(0, parameters.topK) : scored;
  const nucleus = cutByMinP(cutByTopP(kept, parameters.topP), parameters.minP);
  const weights = nucleus.map(({ logit }) => Math.exp((logit - best.logit) / parameters.temperature));
  let ticket = random() * sum(weights);
  for (const [index, weight] of weights.entries()) {
    ticket -= weight;
    if (ticket < 0) return nucleus[index]?.token ?? best.token;
  }
  return nucleus.at(-1)?.token ?? best.token;
}

export function penalises({
  presencePenalty,
  frequencyPenalty,
  repetitionPenalty,
}: SamplingParameters): boolean {
  return presencePenalty !== 0 || frequencyPenalty !== 0 || repetitionPenalty !== 1;
}

function adjust(
  candidates: readonly Candidate[],
  parameters: SamplingParameters,
  history: SequenceHistory,
): Candidate[] {
  const { logitBias, presencePenalty, frequencyPenalty, repetitionPenalty } = parameters;
  const isPenalising = penalises(parameters);
  if (!isPenalising && logitBias.size === 0) return [...candidates];

  const written = countTokens(isPenalising ? history.outputTokens : []);
  const read = new Set(repetitionPenalty === 1 ? [] : history.promptTokens);
  const adjusted = candidates.map(({ token, logit }) => {
    let value = logit + (logitBias.get(token) ?? 0);
    const count = written.get(token) ?? 0;
    if (count > 0 || read.has(token)) {
      value = value > 0 ? value / repetitionPenalty : value * repetitionPenalty;
    }
    if (count > 0) value -= presencePenalty + frequencyPenalty * count;
    return { token, logit: value };
  });
  return adjusted.sort((left, right) => right.logit - left.logit);
}

function countTokens(tokens: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function cutByTopP(candidates: readonly Candidate[], topP: number): readonly Candidate[] {
  if (topP >= 1) return candidates;
  const weights = probabilityWeights(candidates);
  const wanted = topP * sum(weights);
  let total = 0;
  for (const [index, weight] of weights.entries()) {
    total += weight;
    if (total >= wanted) return candidates.slice(0, index + 1);
  }
  return candidates;
}

function cutByMinP(candidates: readonly Candidate[], minP: number): readonly Candidate[] {
  if (minP <= 0) return candidates;
  const weights = probabilityWeights(candidates);
  return candidates.filter((_candidate, index) => (weights[index] ?? 0) >= minP);
}

/** Relative to the first, which weighs 1. */
function probabilityWeights(candidates: readonly Candidate[]): number[] {
  const highest = candidates[0]?.logit ?? 0;
  return candidates.map(({ logit }) => Math.exp(logit - highest));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
