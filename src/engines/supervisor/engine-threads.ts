import { setPriority } from 'node:os';

/** One core stays free for the gateway; with two, both work and the gateway goes first (`yieldToGateway`). */
export function chooseThreads(wanted: number | 'auto', cores: number): number {
  if (wanted !== 'auto') return wanted;
  return cores === 2 ? 2 : Math.max(1, cores - 1);
}

/**
 * Engine processes are nicer than the gateway: a request that arrives while all cores decode is still read,
 * checked and answered at once. Threads inherit this, so it is set before the child has made any.
 */
export function yieldToGateway(processId: number): void {
  try {
    setPriority(processId, engineNiceness);
  } catch {
    // The child is gone already, or the system forbids it: both are harmless here.
  }
}

const engineNiceness = 10;
