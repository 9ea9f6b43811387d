import type { EngineReport, Routing } from '#routing';
import type { EngineSupervisor } from '#supervisor';

/** An embedded engine that is still loading or has failed says so itself, before anybody has asked it. */
export function readEngineHealth(
  supervisor: Pick<EngineSupervisor, 'status'>,
  routing: Pick<Routing, 'health'>,
): readonly EngineReport[] {
  const embedded = new Map(supervisor.status().map((status) => [status.name, status.state]));
  return routing.health().map((report) => {
    const state = embedded.get(report.engineName);
    if (state === undefined || state.kind === 'ready' || state.kind === 'idle') return report;
    if (state.kind === 'starting')
      return { ...report, state: 'untried', reason: 'the model is being loaded' };
    return {
      ...report,
      state: 'ejected',
      reason: 'reason' in state ? state.reason : 'the engine is stopped',
    };
  });
}

/** Why nobody can be served, if it is for want of an engine. */
export function noEngine(health: readonly EngineReport[]): string | undefined {
  const isOut = health.length > 0 && health.every(({ state }) => state === 'ejected');
  return isOut ? 'no engine takes requests' : undefined;
}
