import type { EngineCounters, EngineLoad } from '#vocabulary/catalogue';
import type { TokenCounterNames } from './engine-kind.ts';

export interface LoadGauges {
  readonly running: string;
  readonly waiting: string;
  /** The part of the cache that is taken. Releases differ: the first that is there counts. */
  readonly cacheUse: readonly string[];
}

/** The work an engine has in hand, from its gauges of running and of waiting requests. */
export function readGauges(text: string, gauges: LoadGauges): EngineLoad | undefined {
  const queued = sumSamples(text, gauges.waiting);
  const active = sumSamples(text, gauges.running);
  if (queued === undefined && active === undefined) return undefined;
  return { inHand: (active ?? 0) + (queued ?? 0), queued, cacheUse: readCacheUse(text, gauges.cacheUse) };
}

/** Of several ranks the fullest: it is the one that makes requests wait. */
function readCacheUse(text: string, names: readonly string[]): number | undefined {
  for (const name of names) {
    const samples = samplesOf(text, name);
    if (samples.length > 0) return fullest(samples);
  }
  return undefined;
}

/** Undefined when what an engine tells cannot be a part of anything. */
export function fullest(parts: readonly number[]): number | undefined {
  const most = Math.max(...parts);
  return most >= 0 && most <= 1 ? most : undefined;
}

/** The tokens that an engine has counted; undefined when it does not tell both, or tells what cannot be. */
export function readTokenCounters(text: string, names: TokenCounterNames): EngineCounters | undefined {
  const inputTokens = readCount(text, names.input);
  const outputTokens = readCount(text, names.output);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, includesCached: names.includesCached };
}

function readCount(text: string, names: readonly string[]): number | undefined {
  for (const name of names) {
    const count = sumSamples(text, name);
    if (count !== undefined)
      return count >= 0 && count <= Number.MAX_SAFE_INTEGER ? Math.round(count) : undefined;
  }
  return undefined;
}

/** Adds up every sample of a metric, whatever its labels; undefined when none is there. */
function sumSamples(text: string, name: string): number | undefined {
  const samples = samplesOf(text, name);
  return samples.length === 0 ? undefined : samples.reduce((sum, value) => sum + value, 0);
}

function samplesOf(text: string, name: string): number[] {
  const samples: number[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith(name)) continue;
    const match = /^(?:\{[^}]*\})?\s+([\d.eE+-]+)/.exec(line.slice(name.length));
    const value = Number(match?.[1]);
    if (Number.isFinite(value)) samples.push(value);
  }
  return samples;
}
