import type { ModelFacts } from '../native/loaded-model.ts';
import type { LoopCounts } from '../scheduler/step-loop.ts';

/** Prometheus text, small enough to write by hand. */
export function writeMetrics(counts: LoopCounts, facts: ModelFacts): string {
  const rows: readonly (readonly [name: string, kind: 'gauge' | 'counter', help: string, value: number])[] = [
    ['requests_running', 'gauge', 'Sequences being read or written.', counts.running],
    ['requests_waiting', 'gauge', 'Sequences waiting for a slot.', counts.waiting],
    ['slots', 'gauge', 'Sequences that can run at once.', facts.slots],
    ['steps_total', 'counter', 'Batches evaluated.', counts.steps],
    ['prompt_tokens_total', 'counter', 'Prompt tokens asked for.', counts.promptTokens],
    ['prompt_tokens_cached_total', 'counter', 'Prompt tokens found in the cache.', counts.cachedTokens],
    ['generation_tokens_total', 'counter', 'Tokens written.', counts.writtenTokens],
    ['ahead_tokens_total', 'counter', 'Tokens read ahead while nobody waited.', counts.aheadTokens],
    ['memory_bytes', 'gauge', 'Weights and cache, fixed at start.', facts.memoryBytes],
    ['resident_memory_bytes', 'gauge', 'Resident memory of the process.', process.memoryUsage.rss()],
  ];
  return rows
    .map(([name, kind, help, value]) => {
      const full = `gatehouse_engine_${name}`;
      return `# HELP ${full} ${help}\n# TYPE ${full} ${kind}\n${full} ${value}\n`;
    })
    .join('');
}
