/** What `/metrics` reads from the rooms when it is asked. */
import type { Accounting } from '#accounting';
import type { EngineDrift } from '#contract/operations';
import type { ContinuitySide } from './continuity.ts';
import type { Rooms } from '#flow';
import type { CallerBudgets, HttpServer } from '#http';
import type { Storage } from '#storage';
import type { Catalogue } from '#vocabulary/catalogue';
import type { GaugeReading, Metrics } from '#vocabulary/metrics';

interface GaugeParts {
  readonly metrics: Pick<Metrics, 'observe'>;
  readonly catalogue: () => Catalogue;
  readonly rooms: Pick<Rooms, 'admission' | 'sharing' | 'routing'>;
  readonly http: Pick<HttpServer, 'openConnections' | 'refusedConnections'>;
  readonly budgets: Pick<CallerBudgets, 'heldBytes'>;
  readonly journal: Pick<Accounting, 'readStats'>;
  readonly storage: Pick<Storage, 'isReachable'>;
  readonly continuity: Pick<ContinuitySide, 'stats'>;
}

export function composeGauges(parts: GaugeParts): void {
  const { metrics, catalogue, rooms, http, budgets, journal, storage, continuity } = parts;
  const { sharing, routing } = rooms;
  metrics.observe('requestsInFlight', () => perModel(countInFlight(rooms)));
  metrics.observe('requestsWaiting', () => perModel(sharing.waiting()));
  metrics.observe('requestsWaitingByProject', () =>
    [...sharing.waitingByProject()].map(([of, value]) => ({ of, value })),
  );
  metrics.observe('engineHealthy', () =>
    routing.health().map((report) => ({ of: report.engineName, value: report.state === 'ejected' ? 0 : 1 })),
  );
  metrics.observe('engineOutstanding', () =>
    routing.health().map((report) => ({ of: report.engineName, value: report.outstanding })),
  );
  metrics.observe('engineEjections', () =>
    routing.health().map((report) => ({ of: report.engineName, value: report.ejections })),
  );
  metrics.observe('engineCacheUse', () =>
    routing
      .health()
      .flatMap(({ engineName: of, cacheUse: value }) => (value === undefined ? [] : [{ of, value }])),
  );
  metrics.observe('connectionsOpen', () => [{ value: http.openConnections() }]);
  metrics.observe('connectionsRefused', () => [{ value: http.refusedConnections() }]);
  metrics.observe('bufferedBytes', () => [{ value: budgets.heldBytes }]);
  metrics.observe('keptStreams', () => [{ value: continuity.stats().streams }]);
  metrics.observe('keptStreamBytes', () => [{ value: continuity.stats().bytes }]);
  metrics.observe('streamsResumed', () => [{ value: continuity.stats().resumed }]);
  metrics.observe('streamsAbandoned', () => [{ value: continuity.stats().abandoned }]);
  metrics.observe('streamsWitnessed', () => [{ value: continuity.stats().witnessed }]);
  metrics.observe('streamsSpared', () => [{ value: continuity.stats().spared }]);
  metrics.observe('streamsInherited', () => [{ value: continuity.stats().inherited }]);
  metrics.observe('journalLagRecords', () => [{ value: journal.readStats().pendingEntries }]);
  metrics.observe('journalUnappliedBytes', () => [{ value: journal.readStats().unappliedBytes }]);
  metrics.observe('journalWritable', () => [{ value: journal.readStats().isWritable ? 1 : 0 }]);
  metrics.observe('databaseReachable', () => [{ value: storage.isReachable() ? 1 : 0 }]);
  metrics.observe('journalLostEntries', () => {
    const { lostOpenings, lostRecords } = journal.readStats();
    return [{ value: lostOpenings + lostRecords }];
  });

  /** Also those for which nothing is to be counted: a graph tells zero from no news. */
  function perModel(counts: ReadonlyMap<string, number>): GaugeReading[] {
    const ids = new Set([...catalogue().models.map(({ id }) => id), ...counts.keys()]);
    return [...ids].map((of) => ({ of, value: counts.get(of) ?? 0 }));
  }
}

/** Only of engines whose counters were read: no news is not the same as no drift. */
export function observeDrift(metrics: Pick<Metrics, 'observe'>, read: () => readonly EngineDrift[]): void {
  const compared = () =>
    read()
      .filter(({ hours }) => hours.length > 0)
      .flatMap(({ name, day }) =>
        (['input', 'output'] as const).map((kind) => ({ name, kind, ...day[kind] })),
      );
  metrics.observe('engineTokens', () =>
    compared().flatMap(({ name, kind, ours, theirs }) => [
      { of: [name, kind, 'gateway'], value: ours },
      { of: [name, kind, 'engine'], value: theirs },
    ]),
  );
  metrics.observe('engineTokenDrift', () =>
    compared().map(({ name, kind, drift }) => ({ of: [name, kind], value: drift ?? 0 })),
  );
}

/** Those who are here and do not wait, by model. */
export function countInFlight({
  admission,
  sharing,
}: Pick<Rooms, 'admission' | 'sharing'>): ReadonlyMap<string, number> {
  const waiting = sharing.waiting();
  return new Map(
    [...admission.present()].map(([modelId, count]) => [modelId, count - (waiting.get(modelId) ?? 0)]),
  );
}
