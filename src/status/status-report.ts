import type { ModelStatus, ServiceState, StatusDay, StatusReport } from '#contract/status';
import type { BulletinDesk, Incident } from '#vocabulary/bulletin';
import type { Clock } from '#vocabulary/clock';
import {
  addAmounts,
  firstTokenQuantileMs,
  noAmounts,
  type ServiceAmounts,
  type ServiceHistoryStore,
  type ServiceStretch,
} from '#vocabulary/service-history';

export interface StatusReportParts {
  readonly history: ServiceHistoryStore;
  readonly bulletin: Pick<BulletinDesk, 'currentFor' | 'incidents'>;
  /** Of every engine of every model. */
  readonly models: () => readonly { readonly id: string; readonly states: readonly EngineStanding[] }[];
  readonly readName: () => Promise<string>;
  readonly clock: Clock;
}

export type EngineStanding = 'healthy' | 'ejected' | 'untried';

const dayMs = 86_400_000;
const dayCount = 90;
/** Failures of this long ago still make a model doubtful, if they are so many and such a part of all. */
const recentMs = 1_800_000;
const leastRecentFailures = 3;
const leastFailedPart = 0.2;

export async function makeStatusReport(parts: StatusReportParts): Promise<StatusReport> {
  const now = parts.clock.wallMs();
  const today = now - (now % dayMs);
  const first = today - (dayCount - 1) * dayMs;
  const [days, recent, announcements, incidents] = await Promise.all([
    parts.history.read('day', first),
    parts.history.read('five-minutes', now - recentMs),
    parts.bulletin.currentFor(undefined),
    parts.bulletin.incidents(first),
  ]);
  const models = parts.models().map(({ id, states }): ModelStatus => {
    const own = new Map(days.filter(({ model }) => model === id).map((day) => [day.startsAt, day]));
    const sum = addUp([...own.values()]);
    return {
      id,
      state: heed(judge(states, addUp(recent.filter(({ model }) => model === id))), incidents, id),
      up: partOf(sum.secondsUp, sum.secondsSeen),
      firstTokenMs: firstTokenQuantileMs(sum.firstTokens, 0.5) ?? null,
      days: Array.from({ length: dayCount }, (_, index) => {
        const startsAt = first + index * dayMs;
        return describeDay(startsAt, own.get(startsAt) ?? noAmounts, Math.min(dayMs, now - startsAt));
      }),
    };
  });
  return {
    at: now,
    service: await parts.readName(),
    state: heed(worst(models.map(({ state }) => state)), incidents),
    models,
    announcements: announcements.map(({ id, text, kind }) => ({ id, text, kind })),
    incidents: incidents
      .map((incident) => ({ ...incident, resolvedAt: incident.resolvedAt ?? null }))
      .sort((one, other) => Number(one.resolvedAt !== null) - Number(other.resolvedAt !== null)),
  };
}

function describeDay(startsAt: number, amounts: ServiceAmounts, lengthMs: number): StatusDay {
  return {
    day: new Date(startsAt).toISOString().slice(0, 10),
    up: partOf(amounts.secondsUp, amounts.secondsSeen),
    watched: partOf(amounts.secondsSeen, lengthMs / 1000) ?? 0,
    failed: partOf(amounts.failures, amounts.requests),
    firstTokenMs: firstTokenQuantileMs(amounts.firstTokens, 0.5) ?? null,
  };
}

function judge(states: readonly EngineStanding[], recent: ServiceAmounts): ServiceState {
  const healthy = states.filter((state) => state === 'healthy').length;
  if (healthy === 0) return states.includes('untried') || states.length === 0 ? 'unknown' : 'outage';
  const isFailing =
    recent.failures >= leastRecentFailures && recent.failures >= leastFailedPart * recent.requests;
  return healthy < states.length || isFailing ? 'degraded' : 'operational';
}

/** People know of trouble that no generation shows: while an incident goes on, nothing is said to be fine. */
function heed(state: ServiceState, incidents: readonly Incident[], modelId?: string): ServiceState {
  const isTroubled = incidents.some(
    ({ resolvedAt, impact, models }) =>
      resolvedAt === undefined &&
      impact !== 'maintenance' &&
      (modelId === undefined || models.length === 0 || models.includes(modelId)),
  );
  return isTroubled && state === 'operational' ? 'degraded' : state;
}

/** The service is out when everything is, and degraded as soon as anything is. */
function worst(states: readonly ServiceState[]): ServiceState {
  const known = states.filter((state) => state !== 'unknown');
  if (known.length === 0) return 'unknown';
  if (known.every((state) => state === 'outage')) return 'outage';
  return known.every((state) => state === 'operational') ? 'operational' : 'degraded';
}

function addUp(stretches: readonly ServiceStretch[]): ServiceAmounts {
  return stretches.reduce<ServiceAmounts>(addAmounts, noAmounts);
}

/** Rounded down: 100 % is said only of what never failed. */
function partOf(amount: number, whole: number): number | null {
  return whole <= 0 ? null : Math.min(1, Math.floor((amount / whole) * 10_000) / 10_000);
}
