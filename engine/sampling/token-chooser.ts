import type {
  LogitFilter,
  NativeBindings,
  NativeSampler,
  NativeSamplerConfig,
} from '../native/native-bindings.ts';
import { chooseCandidate, penalises } from './logit-sampler.ts';
import type { Candidate, SequenceHistory } from './logit-sampler.ts';
import { createRandom } from './random.ts';
import type { SamplingParameters } from './sampling-parameters.ts';

export interface TokenScore {
  readonly token: number;
  /** Natural logarithm of the model's own probability, before temperature, penalties and constraints. */
  readonly logprob: number;
}

export interface TokenScores extends TokenScore {
  /** Likeliest first. */
  readonly alternatives: readonly TokenScore[];
}

export interface Choice {
  readonly token: number;
  readonly scores: TokenScores | undefined;
}

export type IsToken = (token: number) => boolean;

/** Chooses the tokens of one sequence. Not for two steps at once: the native samplers hold a buffer each. */
export interface TokenChooser {
  choose(logitIndex: number, banned: readonly number[]): Promise<Choice>;
  /** `allows` must allow at least one token. What `shuns` names is chosen only where nothing else is nearly as likely. */
  chooseAmong(logitIndex: number, allows: IsToken, shuns?: IsToken): Promise<Choice>;
  score(logitIndex: number, token: number): Promise<TokenScores>;
  close(): void;
}

export interface TokenChooserOptions {
  readonly bindings: NativeBindings;
  readonly parameters: SamplingParameters;
  readonly history: SequenceHistory;
  readonly contextTokens: number;
  /** How many alternatives to report; undefined reports no scores at all. */
  readonly alternatives: number | undefined;
}

/**
 * How many of the likeliest tokens are fetched to find an allowed one: the first number nearly always holds
 * one, and fetching costs more the more are asked for. After the last, the whole vocabulary is asked for.
 */
const candidateCounts = [128, 4096];
/** How much likelier a shunned token must be, as a natural logarithm: some nine million times. Small models are that sure. */
const shunnedBy = 16;

export function createTokenChooser(options: TokenChooserOptions): TokenChooser {
  const { bindings, parameters, history, alternatives } = options;
  const { context, samplers } = bindings;
  const random = createRandom(parameters.seed);
  // The native penalty counts prompt and answer alike, OpenAI's two count the answer only.
  const needsOwnChain =
    parameters.repetitionPenalty !== 1 &&
    (parameters.presencePenalty !== 0 || parameters.frequencyPenalty !== 0);
  let native: NativeSampler | undefined;
  let bannedInNative: readonly number[] = [];
  /** The native penalties count what was chosen natively; what was forced or chosen here they do not see. */
  let countedInNative = 0;
  const fetchers = new Map<number, NativeSampler>();

  /** Changes no logit, so that what it reports is the model's own opinion. 0 keeps every token. */
  function fetcher(topK: number): NativeSampler {
    const known = fetchers.get(topK);
    if (known !== undefined) return known;
    const made = samplers.take({
      temperature: topK === 0 ? 0 : 1,
      ...(topK > 0 && { topK }),
      topP: 1,
      minP: 0,
      seed: 0,
    });
    fetchers.set(topK, made);
    return made;
  }

  /** Highest first. */
  async function fetchCandidates(
    logitIndex: number,
    count: number | undefined,
  ): Promise<readonly Candidate[]> {
    const filter: true | LogitFilter = count === undefined ? true : [[], false, false, false, count];
    const scores = await context.sampleToken(logitIndex, fetcher(count ?? 0), false, false, filter, false);
    return candidatesOf(scores[3]);
  }

  async function chooseAmong(logitIndex: number, allows: IsToken, shuns?: IsToken): Promise<Choice> {
    for (const count of needsOwnChain ? [undefined] : [...candidateCounts, undefined]) {
      const fetched = await fetchCandidates(logitIndex, count);
      const candidates = fetched
        .filter(({ token }) => allows(token))
        .map((one) => ({ ...one, isShunned: shuns?.(one.token) === true }));
      // Among the likeliest there may be shunned ones alone: then others are looked for.
      if (candidates.some(({ isShunned }) => !isShunned) || (count === undefined && candidates.length > 0)) {
        return withScores(logitIndex, chooseCandidate(weighed(candidates), parameters, history, random));
      }
    }
    throw new Error('No token is allowed here.');
  }

  async function withScores(logitIndex: number, token: number): Promise<Choice> {
    return { token, scores: alternatives === undefined ? undefined : await score(logitIndex, token) };
  }

  async function score(logitIndex: number, token: number): Promise<TokenScores> {
    // Asking for one token and the greedy choice needs no sorting; the greedy choice has the highest logit.
    const filter: LogitFilter = [[token], false, false, true, 0];
    const [best, , , pairs, weight] = await context.sampleToken(
      logitIndex,
      fetcher(0),
      false,
      false,
      filter,
      true,
    );
    const known = candidatesOf(pairs);
    const logitOf = (wanted: number): number => known.find((one) => one.token === wanted)?.logit ?? -Infinity;
    const base = logitOf(best) + Math.log(weight ?? 1);
    const top =
      alternatives === undefined || alternatives === 0 ? [] : await fetchCandidates(logitIndex, alternatives);
    return {
      token,
      logprob: logitOf(token) - base,
      alternatives: top.map((one) => ({ token: one.token, logprob: one.logit - base })),
    };
  }

  return {
    chooseAmong,
    choose: async (logitIndex, banned) => {
      if (needsOwnChain) return chooseAmong(logitIndex, (token) => !banned.includes(token));
      const hasMissed = penalises(parameters) && countedInNative !== history.outputTokens.length;
      if (native === undefined || bannedInNative !== banned || hasMissed) {
        if (native !== undefined) samplers.giveBack(native);
        native = samplers.take(nativeConfig(options, banned));
        bannedInNative = banned;
      }
      countedInNative = history.outputTokens.length + 1;
      return withScores(logitIndex, await context.sampleToken(logitIndex, native));
    },
    score,
    close: () => {
      if (native !== undefined) samplers.giveBack(native);
      for (const sampler of fetchers.values()) samplers.giveBack(sampler);
    },
  };
}

function weighed(candidates: readonly (Candidate & { readonly isShunned: boolean })[]): readonly Candidate[] {
  if (!candidates.some(({ isShunned }) => isShunned)) return candidates;
  return candidates
    .map(({ token, logit, isShunned }) => ({ token, logit: isShunned ? logit - shunnedBy : logit }))
    .sort((one, other) => other.logit - one.logit);
}

function candidatesOf(pairs: readonly number[]): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (let index = 0; index + 1 < pairs.length; index += 2) {
    candidates.push({ token: pairs[index] ?? 0, logit: pairs[index + 1] ?? 0 });
  }
  return candidates;
}

function nativeConfig(
  { parameters, history, contextTokens }: TokenChooserOptions,
  banned: readonly number[],
): NativeSamplerConfig {
  const { repetitionPenalty, presencePenalty, frequencyPenalty } = parameters;
  const logitBias = new Map(parameters.logitBias);
  for (const token of banned) logitBias.set(token, -Infinity);
  const past = [...(repetitionPenalty === 1 ? [] : history.promptTokens), ...history.outputTokens];
  return {
    temperature: parameters.temperature,
    ...(parameters.topK > 0 && { topK: parameters.topK }),
    topP: parameters.topP,
    minP: parameters.minP,
    // A sampler made in the middle must not repeat the numbers of the first one.
    seed: (parameters.seed + history.outputTokens.length) >>> 0,
    ...(penalises(parameters) && {
      repeatPenalty: repetitionPenalty,
      repeatPenaltyPresencePenalty: presencePenalty,
      repeatPenaltyFrequencyPenalty: frequencyPenalty,
      repeatPenaltyMaxTokens: contextTokens,
      repeatPenaltyTokens: Uint32Array.from(past),
    }),
    ...(logitBias.size > 0 && {
      tokenBiasKeys: Uint32Array.from(logitBias.keys()),
      tokenBiasValues: Float32Array.from(logitBias.values()),
    }),
  };
}
