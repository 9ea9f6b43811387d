import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Llama, LlamaContext, LlamaModel } from 'node-llama-cpp';
import type { Logger } from '#vocabulary/logger';
import { chooseThreads } from './choose-threads.ts';
import { nativeBindings } from './native-bindings.ts';
import type { NativeBindings } from './native-bindings.ts';
import { createTokenizer } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';
import { requireVerifiedMachine } from './verified-machines.ts';

export type GpuChoice = 'auto' | 'off' | 'cuda' | 'vulkan' | 'metal';

export interface LoadOptions {
  readonly modelFile: string;
  readonly threads: number | 'auto';
  readonly slots: number;
  readonly contextTokens: number | 'auto';
  readonly gpu: GpuChoice;
  readonly logger: Logger;
}

/** Weights and cache in memory; nothing grows after this. */
export interface LoadedModel {
  readonly facts: ModelFacts;
  readonly bindings: NativeBindings;
  readonly tokenizer: Tokenizer;
  readonly chatTemplate: string | undefined;
  /** Most tokens one step may read. */
  readonly batchTokens: number;
  /** Most tokens one sequence reads in one step. */
  readonly chunkTokens: number;
  embed(tokens: readonly number[]): Promise<readonly number[]>;
  close(): Promise<void>;
}

export interface ModelFacts {
  readonly name: string;
  readonly architecture: string;
  readonly parameters: number;
  /** Per slot. */
  readonly contextTokens: number;
  readonly slots: number;
  readonly gpu: string;
  readonly threads: number;
  readonly loadMs: number;
  readonly memoryBytes: number;
}

/**
 * On the CPU every sequence reads at most this many tokens at once. Below 64 llama.cpp computes attention row
 * by row, so that a token's logits are the same bits whether its prompt was read whole, in pieces, from the
 * cache, alone or beside others: the same request gives the same text under any load.
 */
const exactChunkTokens = 62;
const batchTokens = 512;
const autoContextTokens = 8192;

export async function loadModel(options: LoadOptions): Promise<LoadedModel> {
  const startedMs = performance.now();
  requireVerifiedMachine();
  // The library takes a tenth of a second to import; only a process that runs a model should pay for it.
  const { getLlama, LlamaLogLevel } = await import('node-llama-cpp');
  const threads = chooseThreads(options.threads, {
    cores: availableParallelism(),
    weightBytes: (await stat(options.modelFile)).size,
  });
  const llama = await getLlama({
    gpu: options.gpu === 'off' ? false : options.gpu,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    maxThreads: threads,
    logLevel: LlamaLogLevel.warn,
    logger: (level, message) => options.logger.warn({ source: 'llama.cpp', level }, message.trim()),
  });
  if (options.gpu !== 'auto' && options.gpu !== 'off' && llama.gpu !== options.gpu) {
    throw new Error(
      `The settings ask for ${options.gpu}, but only ${llama.gpu === false ? 'the CPU' : llama.gpu} is usable here.`,
    );
  }

  const model = await llama.loadModel({ modelPath: options.modelFile });
  const trainedTokens = model.trainContextSize;
  const wantedTokens =
    options.contextTokens === 'auto' ? Math.min(trainedTokens, autoContextTokens) : options.contextTokens;
  const context = await model.createContext({
    sequences: options.slots,
    contextSize: Math.min(wantedTokens, trainedTokens),
    batchSize: batchTokens,
    threads,
    // A sliding window that forgets cannot be cut back to a common prefix; the whole cache can.
    swaFullCache: true,
    failedCreationRemedy: false,
  });

  const bindings = nativeBindings(llama, model, context, options.slots);
  const embedder = createEmbedder(model, threads);
  return {
    facts: gatherFacts({ llama, model, context, bindings, options, threads, startedMs }),
    bindings,
    tokenizer: createTokenizer(bindings.model, {
      vocabularySize: model.fileInfo.metadata.tokenizer.ggml.tokens.length,
      kind: model.fileInfo.metadata.tokenizer.ggml.model,
    }),
    chatTemplate: model.fileInfo.metadata.tokenizer.chat_template,
    batchTokens,
    chunkTokens: llama.gpu === false ? exactChunkTokens : batchTokens,
    embed: embedder.embed,
    close: async () => {
      await embedder.close();
      await context.dispose();
      await model.dispose();
      await llama.dispose();
    },
  };
}

interface FactSources {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  readonly bindings: NativeBindings;
  readonly options: LoadOptions;
  readonly threads: number;
  readonly startedMs: number;
}

function gatherFacts({
  llama,
  model,
  context,
  bindings,
  options,
  threads,
  startedMs,
}: FactSources): ModelFacts {
  const weights = bindings.model.getMemoryBreakdown();
  const cache = bindings.context.getMemoryBreakdown();
  const general = model.fileInfo.metadata.general;
  return {
    name: general.name ?? model.filename ?? 'model',
    architecture: general.architecture,
    parameters: bindings.model.getTotalParameters(),
    contextTokens: context.contextSize,
    slots: options.slots,
    gpu: llama.gpu === false ? 'off' : llama.gpu,
    threads,
    loadMs: Math.round(performance.now() - startedMs),
    memoryBytes: weights.cpuRam + weights.gpuVram + cache.cpuRam + cache.gpuVram,
  };
}

/** Embeddings want a context of their own; it is made when somebody first asks, and then kept. */
function createEmbedder(model: LlamaModel, threads: number) {
  let opening: ReturnType<LlamaModel['createEmbeddingContext']> | undefined;
  return {
    embed: async (tokens: readonly number[]): Promise<readonly number[]> => {
      opening ??= model.createEmbeddingContext({ threads });
      const context = await opening;
      const { vector } = await context.getEmbeddingFor(
        tokens as Parameters<typeof context.getEmbeddingFor>[0],
      );
      return vector;
    },
    close: async (): Promise<void> => {
      if (opening !== undefined) await (await opening).dispose();
    },
  };
}
