import type { EngineCounters, EngineLoad } from '#vocabulary/catalogue';
import type { TokenCounterNames } from './engine-kind.ts';

/** The work an engine has in hand, from its gauges of running and of waiting requests. */
export function readGauges(text: string, running: string, waiting: string): EngineLoad | undefined {
  const queued = sumSamples(text, waiting);
  const active = sumSamples(text, running);
  if (queued === undefined && active === undefined) return undefined;
  return { inHand: (active ?? 0) + (queued ?? 0), queued };
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
  let sum: number | undefined;
  for (const line of text.split('\n')) {
    if (!line.startsWith(name)) continue;
    const match = /^(?:\{[^}]*\})?\s+([\d.eE+-]+)/.exec(line.slice(name.length));
    const value = Number(match?.[1]);
    if (Number.isFinite(value)) sum = (sum ?? 0) + value;
  }
  return sum;
}
