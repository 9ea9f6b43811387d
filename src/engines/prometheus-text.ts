import type { EngineLoad } from '#vocabulary/catalogue';

/** The work an engine has in hand, from its gauges of running and of waiting requests. */
export function readGauges(text: string, running: string, waiting: string): EngineLoad | undefined {
  const queued = sumGauge(text, waiting);
  const active = sumGauge(text, running);
  if (queued === undefined && active === undefined) return undefined;
  return { inHand: (active ?? 0) + (queued ?? 0), queued };
}

/** Adds up every sample of a gauge, whatever its labels; undefined when none is there. */
function sumGauge(text: string, name: string): number | undefined {
  let sum: number | undefined;
  for (const line of text.split('\n')) {
    if (!line.startsWith(name)) continue;
    const match = /^(?:\{[^}]*\})?\s+([\d.eE+-]+)/.exec(line.slice(name.length));
    const value = Number(match?.[1]);
    if (Number.isFinite(value)) sum = (sum ?? 0) + value;
  }
  return sum;
}
