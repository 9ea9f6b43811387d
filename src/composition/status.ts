/** How the service is doing: the watch over it, and what operators and everybody get to see of it. */
import { answerLogo, answerManifest, createAppearanceDesk } from '#appearance';
import { createBulletinDesk } from '#bulletin';
import type { OperationsDesk, StatusDesk } from '#console';
import { observeDrift } from './gauges.ts';
import type { PeerSide } from './peers.ts';
import {
  createEngineTest,
  createServiceWatch,
  createStatusAnswers,
  makeStatusReport,
  type ModelMoment,
  readHistory,
  readMachineFacts,
  readOverview,
} from '#status';
import type { Engines } from '#engines';
import type { EngineReport } from '#routing';
import type { Settings } from '#settings';
import type { Storage } from '#storage';
import type { AppearanceDesk } from '#vocabulary/appearance';
import type { AuditTrail } from '#vocabulary/audit';
import type { BulletinDesk } from '#vocabulary/bulletin';
import type { Catalogue } from '#vocabulary/catalogue';
import type { Clock } from '#vocabulary/clock';
import type { Exchange } from '#vocabulary/exchange';
import type { Logger } from '#vocabulary/logger';
import type { Metrics } from '#vocabulary/metrics';
import type { TokenUsage, UsageJournal } from '#vocabulary/usage';

export interface StatusSide {
  /** The journal as the flow uses it. */
  readonly journal: UsageJournal;
  readonly operations: OperationsDesk;
  /** An engine worked on nobody's account, for a probe of ours. */
  usedOurselves(engineName: string, usage: TokenUsage): void;
  readonly bulletin: BulletinDesk;
  readonly appearance: AppearanceDesk;
  readonly status: StatusDesk;
  /** `/status.json` and the badges. */
  answer(exchange: Exchange): Promise<void>;
  answerLogo(exchange: Exchange): Promise<void>;
  answerManifest(exchange: Exchange): Promise<void>;
  start(): void;
  apply(catalogue: Catalogue): void;
  stop(): Promise<void>;
}

export function composeStatus(parts: {
  readonly settings: Pick<Settings, 'appearance' | 'dataDir' | 'tls' | 'status'>;
  readonly storage: Storage;
  readonly others: Pick<PeerSide, 'peers' | 'isFirst'>;
  readonly journal: UsageJournal;
  readonly catalogue: () => Catalogue;
  readonly engineHealth: () => readonly EngineReport[];
  /** By model. */
  readonly waiting: () => ReadonlyMap<string, number>;
  readonly running: () => ReadonlyMap<string, number>;
  readonly waitingByProject: () => ReadonlyMap<string, number>;
  readonly projectName: (projectId: string) => string;
  readonly whyNotReady: () => readonly string[];
  readonly audit: AuditTrail;
  readonly engines: Pick<Engines, 'tryOut' | 'readCounters'>;
  readonly metrics: Pick<Metrics, 'observe'>;
  readonly isSignedIn: (exchange: Exchange) => Promise<boolean>;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
}): StatusSide {
  const { settings, storage, clock, logger } = parts;
  const watch = createServiceWatch({
    store: storage.serviceHistory,
    look,
    keepsWatch: parts.others.isFirst,
    peers: parts.others.peers,
    engines: () => parts.catalogue().engines,
    readCounters: parts.engines.readCounters,
    clock,
    logger,
  });
  observeDrift(parts.metrics, watch.drift);
  const startedAt = clock.wallMs();
  const bulletin = createBulletinDesk({
    store: storage.bulletin,
    audit: parts.audit,
    isKnownModel: (modelId) => parts.catalogue().models.some(({ id }) => id === modelId),
    clock,
  });
  const appearance = createAppearanceDesk({
    notes: storage.serviceNotes,
    configured: settings.appearance,
    audit: parts.audit,
    clock,
  });
  const isPublic = settings.status.readers === 'everybody';
  const answers = createStatusAnswers({
    make: () =>
      makeStatusReport({
        history: storage.serviceHistory,
        bulletin,
        models: standings,
        readName: async () => (await appearance.read()).name,
        clock,
      }),
    isPublic,
    isSignedIn: parts.isSignedIn,
    clock,
  });
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
      testEngine: createEngineTest({
        catalogue: parts.catalogue,
        tryOut: parts.engines.tryOut,
        audit: parts.audit,
      }),
      async drift() {
        await watch.reconcile();
        return watch.drift();
      },
      history: (span) => readHistory(storage.serviceHistory, clock, span),
    },
    usedOurselves: watch.usedOurselves,
    bulletin,
    appearance,
    answerLogo: (exchange) => answerLogo(appearance, exchange),
    answerManifest: (exchange) => answerManifest(appearance, exchange),
    status: { isPublic, report: answers.report },
    answer: answers.answer,
    start: () => watch.start(),
    apply: ({ engines }) => watch.keepOnly(new Set(engines.map(({ name }) => name))),
    stop: () => watch.stop(),
  };

  function look(): readonly ModelMoment[] {
    const waiting = parts.waiting();
    const running = parts.running();
    return standings().map(({ id, states }) => ({
      model: id,
      isUp: isUp(states),
      waiting: waiting.get(id) ?? 0,
      running: running.get(id) ?? 0,
    }));
  }

  function standings() {
    const states = new Map(parts.engineHealth().map(({ engineName, state }) => [engineName, state]));
    return parts.catalogue().models.map(({ id, replicas }) => ({
      id,
      states: replicas.map(({ engineName }) => states.get(engineName) ?? 'untried'),
    }));
  }
}

/** One engine that generates is enough; while none does and one was not tried yet, nobody can tell. */
function isUp(states: readonly EngineReport['state'][]): boolean | undefined {
  if (states.includes('healthy')) return true;
  return states.includes('untried') ? undefined : false;
}
