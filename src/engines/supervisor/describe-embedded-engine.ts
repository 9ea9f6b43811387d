import { basename } from 'node:path';
import type { EmbeddedEngineStatus } from '#vocabulary/embedded-engine';

/** One line for the banner and the doctor: what is loaded, on what, and how fast it got there. */
export function describeEmbeddedEngine(status: EmbeddedEngineStatus): string {
  const { state, facts } = status;
  const file = basename(status.modelFile);
  switch (state.kind) {
    case 'ready': {
      if (facts === undefined) return `${file} is ready`;
      const device =
        facts.gpu === 'off' ? `${facts.threads} ${facts.threads === 1 ? 'thread' : 'threads'}` : facts.gpu;
      return [
        `${file}: ${count(facts.parameters)} parameters on ${device}`,
        `${facts.slots} at once with ${facts.contextTokens} tokens each`,
        `loaded in ${seconds(facts.loadMs)} s, warm after ${seconds(facts.loadMs + facts.warmUpMs)} s`,
      ].join(', ');
    }
    case 'idle':
      return `${file} starts with the first request`;
    case 'starting':
      return `${file} is starting`;
    case 'restarting':
      return `${file} starts again in ${seconds(state.afterMs)} s. ${state.reason}`;
    case 'failed':
      return `${file} does not run. ${state.reason}`;
    default:
      return `${file} is stopped`;
  }
}

function count(number: number): string {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} billion`;
  return `${(number / 1e6).toFixed(1)} million`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
