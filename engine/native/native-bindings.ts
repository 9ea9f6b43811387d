import type { Llama, LlamaContext, LlamaModel } from 'node-llama-cpp';
import { createSamplerPool } from './sampler-pool.ts';
import type { ConfigurableSampler, SamplerPool } from './sampler-pool.ts';

/**
 * The native objects under node-llama-cpp's public classes. The step loop drives them directly: the library's
 * own loop builds a sampler per token and splits batches, which costs a quarter of the speed, and only the
 * native context can copy one sequence's cache into another. The version is pinned, and `nativeBindings`
 * refuses to start on a version that has moved these methods.
 */
export interface NativeBindings {
  readonly context: NativeContext;
  readonly model: NativeModel;
  readonly samplers: SamplerPool;
}

export interface NativeContext {
  initBatch(tokenCount: number): void;
  /** Returns, for every entry of `logitIndexes`, the index to hand to `sampleToken`. */
  addToBatch(
    sequenceId: number,
    firstPosition: number,
    tokens: Uint32Array,
    logitIndexes: Uint32Array,
  ): Uint32Array;
  decodeBatch(): Promise<void>;
  sampleToken(logitIndex: number, sampler: NativeSampler): Promise<number>;
  sampleToken(
    logitIndex: number,
    sampler: NativeSampler,
    withProbabilities: false,
    withConfidence: false,
    logits: true | LogitFilter,
    withTotalWeight: boolean,
  ): Promise<NativeScores>;
  /** False when the cache of this architecture cannot be cut there. */
  removeTokenCellsFromSequence(sequenceId: number, start: number, end: number): boolean;
  /** Resolves to the highest position copied. */
  copySequenceStateFromOtherSequence(target: number, source: number): Promise<number>;
  getMemoryBreakdown(): { cpuRam: number; gpuVram: number };
  getContextSize(): number;
}

/** Tokens to report, include highest, include lowest, include the chosen one, how many of the highest. */
export type LogitFilter = readonly [readonly number[], boolean, boolean, boolean, number];

/** Chosen token, two unused places, token and logit in turn, and the sum of exp(logit − highest logit). */
export type NativeScores = readonly [number, undefined, undefined, readonly number[], number | undefined];

export interface NativeModel {
  tokenize(text: string, parseSpecial: boolean): Uint32Array;
  getTokenString(token: number): string;
  getTokenAttributes(token: number): number;
  isEogToken(token: number): boolean;
  tokenBos(): number;
  tokenEos(): number;
  shouldPrependBosToken(): boolean;
  getTotalParameters(): number;
  getMemoryBreakdown(): { cpuRam: number; gpuVram: number };
}

/** Opaque; from the pool. */
export type NativeSampler = object;

export interface NativeSamplerConfig {
  readonly temperature: number;
  /** Left out when off: the native sampler would sort the whole vocabulary for 0. */
  readonly topK?: number;
  readonly topP: number;
  readonly minP: number;
  readonly seed: number;
  readonly repeatPenalty?: number;
  readonly repeatPenaltyMaxTokens?: number;
  readonly repeatPenaltyTokens?: Uint32Array;
  readonly repeatPenaltyPresencePenalty?: number;
  readonly repeatPenaltyFrequencyPenalty?: number;
  readonly tokenBiasKeys?: Uint32Array;
  readonly tokenBiasValues?: Float32Array;
}

interface Insides {
  readonly _ctx?: NativeContext;
  readonly _model?: NativeModel;
  readonly _bindings?: { readonly AddonSampler?: new (model: NativeModel) => ConfigurableSampler };
}

/** A sequence needs one sampler to choose freely and one to look at the likeliest tokens; more are rare. */
const samplersKeptPerSlot = 2;

export function nativeBindings(
  llama: Llama,
  model: LlamaModel,
  context: LlamaContext,
  slots: number,
): NativeBindings {
  const nativeContext = (context as unknown as Insides)._ctx;
  const nativeModel = (model as unknown as Insides)._model;
  const Sampler = (llama as unknown as Insides)._bindings?.AddonSampler;
  if (
    nativeContext === undefined ||
    nativeModel === undefined ||
    Sampler === undefined ||
    requiredMethods.some((name) => typeof nativeContext[name] !== 'function')
  ) {
    throw new Error('This version of node-llama-cpp is not supported. Install the version in package.json.');
  }
  return {
    context: nativeContext,
    model: nativeModel,
    samplers: createSamplerPool(() => new Sampler(nativeModel), slots * samplersKeptPerSlot),
  };
}

const requiredMethods = [
  'initBatch',
  'addToBatch',
  'decodeBatch',
  'sampleToken',
  'removeTokenCellsFromSequence',
  'copySequenceStateFromOtherSequence',
] as const satisfies readonly (keyof NativeContext)[];
