import type {
  NativeBindings,
  NativeSampler,
  NativeSamplerConfig,
  NativeScores,
} from '../native/native-bindings.ts';
import { chooseCandidate } from './logit-sampler.ts';
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

export type AllowsToken = (token: number) => boolean;

/** Chooses the tokens of one sequence. Not for two steps at once: the native samplers hold a buffer each. */
export interface TokenChooser {
  choose(logitIndex: number, banned: readonly number[]): Promise<Choice>;
  /** `allows` must allow at least one token. */
  chooseAmong(logitIndex: number, allows: AllowsToken): Promise<Choice>;
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

/** Enough for a constraint to find its tokens in nearly every step; the rest ask for the whole vocabulary. */
const candidatesAtFirst = 128;

export function createTokenChooser(options: TokenChooserOptions): TokenChooser {
  const { bindings, parameters, history, alternatives } = options;
  const { context } = bindings;
  const random = createRandom(parameters.seed);
  // The native penalty counts prompt and answer alike, OpenAI's two count the answer only.
  const needsOwnChain =
    parameters.repetitionPenalty !== 1 &&
    (parameters.presencePenalty !== 0 || parameters.frequencyPenalty !== 0);
  let native: NativeSampler | undefined;
  let bannedInNative: readonly number[] = [];
  let raw: NativeSampler | undefined;

  const rawSampler = (): NativeSampler => (raw ??= bindings.createSampler(rawConfig));

  async function topScores(logitIndex: number, count: number): Promise<Scoring> {
    return readScores(
      await context.sampleToken(
        logitIndex,
        rawSampler(),
        false,
        false,
        [[], false, false, false, count],
        true,
      ),
    );
  }

  async function chooseAmong(logitIndex: number, allows: AllowsToken): Promise<Choice> {
    let scoring = await topScores(logitIndex, Math.max(candidatesAtFirst, alternatives ?? 0));
    let candidates = scoring.candidates.filter(({ token }) => allows(token));
    if (candidates.length === 0 || needsOwnChain) {
      scoring = readScores(await context.sampleToken(logitIndex, rawSampler(), false, false, true, true));
      candidates = scoring.candidates.filter(({ token }) => allows(token));
    }
    const token = chooseCandidate(candidates, parameters, history, random);
    return {
      token,
      scores: alternatives === undefined ? undefined : pickScores(scoring, token, alternatives),
    };
  }

  async function score(logitIndex: number, token: number): Promise<TokenScores> {
    const wanted = alternatives ?? 0;
    const scoring = readScores(
      await context.sampleToken(
        logitIndex,
        rawSampler(),
        false,
        false,
        [[token], false, false, false, Math.max(1, wanted)],
        true,
      ),
    );
    return pickScores(scoring, token, wanted);
  }

  return {
    chooseAmong,
    choose: async (logitIndex, banned) => {
      if (needsOwnChain) return chooseAmong(logitIndex, (token) => !banned.includes(token));
      if (native === undefined || bannedInNative !== banned) {
        native?.dispose();
        native = bindings.createSampler(nativeConfig(options, banned));
        bannedInNative = banned;
      }
      const token = await context.sampleToken(logitIndex, native);
      return { token, scores: alternatives === undefined ? undefined : await score(logitIndex, token) };
    },
    score,
    close: () => {
      native?.dispose();
      raw?.dispose();
    },
  };
}

interface Scoring {
  readonly candidates: readonly Candidate[];
  readonly logprobOf: (logit: number) => number;
}

function readScores([, , , pairs, totalWeight]: NativeScores): Scoring {
  const candidates: Candidate[] = [];
  for (let index = 0; index + 1 < pairs.length; index += 2) {
    candidates.push({ token: pairs[index] ?? 0, logit: pairs[index + 1] ?? 0 });
  }
  const highest = candidates[0]?.logit ?? 0;
  const logWeight = Math.log(totalWeight ?? 1);
  return { candidates, logprobOf: (logit) => logit - highest - logWeight };
}

function pickScores({ candidates, logprobOf }: Scoring, token: number, alternatives: number): TokenScores {
  const own = candidates.find((candidate) => candidate.token === token);
  if (own === undefined) throw new Error('The chosen token has no score.');
  return {
    token,
    logprob: logprobOf(own.logit),
    alternatives: candidates
      .slice(0, alternatives)
      .map((candidate) => ({ token: candidate.token, logprob: logprobOf(candidate.logit) })),
  };
}

/** Changes no logit, so that what it reports is the model's own opinion. */
const rawConfig: NativeSamplerConfig = { temperature: 0, topK: 0, topP: 1, minP: 0, seed: 0 };

function nativeConfig(
  { parameters, history, contextTokens }: TokenChooserOptions,
  banned: readonly number[],
): NativeSamplerConfig {
  const { repetitionPenalty, presencePenalty, frequencyPenalty } = parameters;
  const logitBias = new Map(parameters.logitBias);
  for (const token of banned) logitBias.set(token, -Infinity);
  const penalises = repetitionPenalty !== 1 || presencePenalty !== 0 || frequencyPenalty !== 0;
  const past = [...(repetitionPenalty === 1 ? [] : history.promptTokens), ...history.outputTokens];
  return {
    temperature: parameters.temperature,
    topK: parameters.topK,
    topP: parameters.topP,
    minP: parameters.minP,
    // A sampler made in the middle must not repeat the numbers of the first one.
    seed: (parameters.seed + history.outputTokens.length) >>> 0,
    ...(penalises && {
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
