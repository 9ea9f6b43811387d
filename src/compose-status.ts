/** How the service is doing: the watch over it, and what operators and everybody get to see of it. */
import { createServiceWatch, type ModelMoment, readHistory, readMachineFacts, readOverview } from '#status';
import type { EngineReport } from '#routing';
import type { Settings } from '#settings';
import type { Storage } from '#storage';
import type { Catalogue } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { UsageJournal } from '#vocabulary/usage';
import type { History, HistorySpan, Overview } from '#contract/operations';

export interface StatusSide {
  /** The journal as the flow uses it. */
  readonly journal: UsageJournal;
  readonly operations: { overview(): Promise<Overview>; history(span: HistorySpan): Promise<History> };
  start(): void;
  apply(catalogue: Catalogue): void;
  stop(): Promise<void>;
}

export function composeStatus(parts: {
  readonly settings: Pick<Settings, 'dataDir' | 'tls'>;
  readonly storage: Storage;
  readonly journal: UsageJournal;
  readonly catalogue: () => Catalogue;
  readonly engineHealth: () => readonly EngineReport[];
  /** By model. */
  readonly waiting: () => ReadonlyMap<string, number>;
  readonly running: () => ReadonlyMap<string, number>;
  readonly waitingByProject: () => ReadonlyMap<string, number>;
  readonly projectName: (projectId: string) => string;
  readonly whyNotReady: () => readonly string[];
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
}): StatusSide {
  const { settings, storage, clock, logger } = parts;
  const watch = createServiceWatch({ store: storage.serviceHistory, look, clock, logger });
  const startedAt = clock.wallMs();
  return {
    journal: watch.watch(parts.journal),
    operations: {
      overview: () =>
        readOverview({
          ...parts,
          startedAt,
          activityOf: watch.activityOf,
          slowest: watch.slowest,
          readFacts: () =>
            readMachineFacts({
              dataDir: settings.dataDir,
              certificateFile: settings.tls?.certificateFile,
              notes: storage.serviceNotes,
            }),
        }),
      history: (span) => readHistory(storage.serviceHistory, clock, span),
    },
    start: () => watch.start(),
    apply: ({ engines }) => watch.keepOnly(new Set(engines.map(({ name }) => name))),
    stop: () => watch.stop(),
  };

  function look(): readonly ModelMoment[] {
    const states = new Map(parts.engineHealth().map(({ engineName, state }) => [engineName, state]));
    const waiting = parts.waiting();
    const running = parts.running();
    return parts.catalogue().models.map(({ id, replicas }) => ({
      model: id,
      isUp: isUp(replicas.map(({ engineName }) => states.get(engineName) ?? 'untried')),
      waiting: waiting.get(id) ?? 0,
      running: running.get(id) ?? 0,
    }));
  }
}

/** One engine that generates is enough; while none does and one was not tried yet, nobody can tell. */
function isUp(states: readonly EngineReport['state'][]): boolean | undefined {
  if (states.includes('healthy')) return true;
  return states.includes('untried') ? undefined : false;
}
