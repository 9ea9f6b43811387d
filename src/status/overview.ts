import type { Catalogue } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { Overview } from '#contract/operations';
import type { EngineActivity } from './engine-activity.ts';
import type { MachineFacts } from './machine-facts.ts';
import type { SlowRequest } from './slow-requests.ts';

export interface OverviewParts {
  readonly version: string;
  readonly startedAt: number;
  readonly clock: Clock;
  readonly catalogue: () => Catalogue;
  readonly engineHealth: () => readonly EngineState[];
  readonly activityOf: (engineName: string) => EngineActivity;
  readonly slowest: () => readonly SlowRequest[];
  /** Requests in the line and in work, by model. */
  readonly waiting: () => ReadonlyMap<string, number>;
  readonly running: () => ReadonlyMap<string, number>;
  readonly waitingByProject: () => ReadonlyMap<string, number>;
  readonly projectName: (projectId: string) => string;
  readonly readFacts: () => Promise<MachineFacts>;
  readonly whyNotReady: () => readonly string[];
}

export interface EngineState {
  readonly engineName: string;
  readonly state: 'healthy' | 'ejected' | 'untried';
  readonly reason: string | undefined;
  readonly outstanding: number;
  readonly cacheUse: number | undefined;
}

/** Everything that an operator wants to see at a glance, as it is at this moment. */
export async function readOverview(parts: OverviewParts): Promise<Overview> {
  const waiting = parts.waiting();
  return {
    at: parts.clock.wallMs(),
    version: parts.version,
    startedAt: parts.startedAt,
    engines: describeEngines(parts, waiting),
    line: {
      waiting: sum(waiting),
      running: sum(parts.running()),
      projects: [...parts.waitingByProject()]
        .map(([id, count]) => ({ id, name: parts.projectName(id), waiting: count }))
        .sort((one, other) => other.waiting - one.waiting),
    },
    slowest: parts.slowest().map((request) => ({
      ...request,
      engine: request.engine ?? null,
      waitMs: Math.round(request.waitMs),
      firstByteMs: request.firstByteMs === undefined ? null : Math.round(request.firstByteMs),
      durationMs: Math.round(request.durationMs),
    })),
    ...(await parts.readFacts()),
    obstacles: parts.whyNotReady(),
  };
}

function describeEngines(parts: OverviewParts, waiting: ReadonlyMap<string, number>): Overview['engines'] {
  const states = new Map(parts.engineHealth().map((report) => [report.engineName, report]));
  const { engines, models } = parts.catalogue();
  return engines.map(({ name, kind, maxConcurrent }) => {
    const report = states.get(name);
    const served = models.filter(({ replicas }) => replicas.some(({ engineName }) => engineName === name));
    const activity = parts.activityOf(name);
    return {
      name,
      kind,
      models: served.map(({ id }) => id),
      health: healthWords[report?.state ?? 'untried'],
      healthNote: report?.reason ?? '',
      inFlight: report?.outstanding ?? 0,
      maxConcurrent,
      waiting: served.reduce((total, { id }) => total + (waiting.get(id) ?? 0), 0),
      outputTokensPerSecond: Math.round(activity.outputTokensPerSecond * 10) / 10,
      requests: activity.requests,
      failures: activity.failures,
      cachedPart: activity.cachedPart ?? null,
      cacheUse: report?.cacheUse ?? null,
      lastGenerationAt: activity.lastGenerationAt ?? null,
    };
  });
}

const healthWords = { healthy: 'healthy', ejected: 'down', untried: 'starting' } as const;

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
