import { constants, getPriority, setPriority } from 'node:os';

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
