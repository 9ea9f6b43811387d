import type { GgufValue } from './parse-gguf.ts';

export interface MemoryEstimate {
  readonly slots: number;
  /** Per slot. */
  readonly contextTokens: number;
  readonly weightBytes: number;
  /** Keys and values of all slots at 16 bits. */
  readonly cacheBytes: number;
  /** The process itself and its buffers for one step. */
  readonly workBytes: number;
  readonly totalBytes: number;
}

/** An upper estimate: layers with a sliding window or a fixed state need less cache than is counted here. */
export function estimateMemory(
  metadata: ReadonlyMap<string, GgufValue>,
  architecture: string,
  wanted: Pick<MemoryEstimate, 'weightBytes' | 'slots' | 'contextTokens'>,
): MemoryEstimate {
  const numberAt = (key: string): number | undefined => {
    const value = metadata.get(`${architecture}.${key}`);
    return typeof value === 'number' ? value : undefined;
  };
  const width = numberAt('embedding_length') ?? 0;
  const tokens = metadata.get('tokenizer.ggml.tokens');
  const vocabulary = typeof tokens === 'object' ? tokens.length : (numberAt('vocab_size') ?? 0);

  const cacheBytes =
    cachedNumbersPerToken(metadata, architecture, width) *
    bytesPerCachedNumber *
    wanted.contextTokens *
    wanted.slots;
  const widest = vocabulary + 8 * width + 3 * (numberAt('feed_forward_length') ?? 0);
  const workBytes = processBytes + stepTokens * widest * 4;
  return { ...wanted, cacheBytes, workBytes, totalBytes: wanted.weightBytes + cacheBytes + workBytes };
}

const bytesPerCachedNumber = 2;
const stepTokens = 512;
/** Node and the engine's code, measured without a model. */
const processBytes = 110e6;

function cachedNumbersPerToken(
  metadata: ReadonlyMap<string, GgufValue>,
  architecture: string,
  width: number,
): number {
  const valueAt = (key: string) => metadata.get(`${architecture}.${key}`);
  const numberAt = (key: string, otherwise: number): number => {
    const value = valueAt(key);
    return typeof value === 'number' ? value : otherwise;
  };
  const layers = numberAt('block_count', 0);
  const compressed = numberAt('attention.kv_lora_rank', 0);
  if (compressed > 0) return layers * (compressed + numberAt('rope.dimension_count', 64));

  const heads = numberAt('attention.head_count', 1);
  const keyLength = numberAt('attention.key_length', width / heads);
  const valueLength = numberAt('attention.value_length', width / heads);
  const perLayer = valueAt('attention.head_count_kv');
  const cachedHeads = Array.isArray(perLayer)
    ? perLayer.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0)
    : layers * (typeof perLayer === 'number' ? perLayer : heads);
  return cachedHeads * (keyLength + valueLength);
}
