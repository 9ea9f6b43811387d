import { constants, getPriority, setPriority } from 'node:os';

/**
 * One core stays free, also when there are only two: engine threads wait for each other by spinning, and a
 * thread that shares its core with anything else holds up all of them (docs/decisions has the figures).
 */
export function chooseThreads(wanted: number | 'auto', cores: number): number {
  return wanted === 'auto' ? Math.max(1, cores - 1) : wanted;
}

/**
 * Engine processes are a little nicer than the gateway: a request that arrives while the engine decodes is read,
 * checked and answered first. Threads inherit this, so it is set before the child has made its own.
 */
export function yieldToGateway(processId: number): void {
  try {
    setPriority(processId, Math.min(constants.priority.PRIORITY_LOW, getPriority() + engineNiceness));
  } catch {
    // The child is gone already, or the system forbids it: both are harmless here.
  }
}

const engineNiceness = 5;
