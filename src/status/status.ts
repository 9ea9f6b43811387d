/**
 * How is the service doing, and how did it do lately? Watches what the journal is told, looks at the models every few
 * seconds, and keeps sums of it.
 */
import type { EngineDrift } from '#contract/operations';
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { Peers } from '#vocabulary/peers';
import type { ServiceHistoryStore } from '#vocabulary/service-history';
import type { TokenUsage, UsageJournal } from '#vocabulary/usage';
import { ActivityBoard, type EngineActivity } from './engine-activity.ts';
import { Reconciliation, type ReconciliationParts } from './reconciliation.ts';
import { HistoryRecorder, type ModelMoment } from './history-recorder.ts';
import { type EngineTokens, shareEngineTokens } from './shared-tokens.ts';
import { SlowRequests, type SlowRequest } from './slow-requests.ts';

export interface ServiceWatch {
  /** The same journal, watched. */
  watch(journal: UsageJournal): UsageJournal;
  activityOf(engineName: string): EngineActivity;
  slowest(): readonly SlowRequest[];
  /** Our sums beside the engines' own counters, as they were last read. */
  drift(): readonly EngineDrift[];
  /** Reads the engines' counters now. */
  reconcile(): Promise<void>;
  /** An engine worked on nobody's account, for a probe of ours. */
  usedOurselves(engineName: string, usage: TokenUsage): void;
  /** Engines of other names are forgotten. */
  keepOnly(engineNames: ReadonlySet<string>): void;
  start(): void;
  stop(): Promise<void>;
}

export function createServiceWatch(parts: {
  readonly store: ServiceHistoryStore;
  /** Every model as it is now. */
  readonly look: () => readonly ModelMoment[];
  /** Whether this gateway, of several, is the one that says whether models are up. */
  readonly keepsWatch: () => boolean;
  /** The other gateways, where there can be any. */
  readonly peers: Peers | undefined;
  readonly engines: ReconciliationParts['engines'];
  readonly readCounters: ReconciliationParts['readCounters'];
  readonly clock: Clock;
  readonly logger: Logger;
}): ServiceWatch {
  const board = new ActivityBoard(parts.clock);
  const slow = new SlowRequests(parts.clock);
  const history = new HistoryRecorder(parts);
  const reconciliation = new Reconciliation(parts);
  const shared = parts.peers && shareEngineTokens(parts.peers, parts.engines, addUsed);
  const used = (engineName: string, usage: TokenUsage) => {
    addUsed(engineName, usage);
    shared?.used(engineName, usage);
  };
  return {
    watch: (journal) => ({
      obstacle: () => journal.obstacle(),
      open: (opening) => journal.open(opening),
      checkpoint(record) {
        board.progressed(record);
        journal.checkpoint(record);
      },
      settle(record) {
        board.finished(record);
        slow.note(record);
        history.finished(record);
        if (record.engine !== undefined) used(record.engine, record.usage);
        return journal.settle(record);
      },
      flush: () => journal.flush(),
    }),
    activityOf: (engineName) => board.read(engineName),
    slowest: () => slow.list(),
    drift: () => reconciliation.report(),
    reconcile: () => reconciliation.read(),
    usedOurselves: used,
    keepOnly(engineNames) {
      board.keepOnly(engineNames);
      reconciliation.keepOnly(engineNames);
    },
    start() {
      history.start();
      reconciliation.start();
    },
    stop() {
      reconciliation.stop();
      return history.stop();
    },
  };

  function addUsed(engineName: string, usage: EngineTokens): void {
    reconciliation.used(engineName, usage);
  }
}

export { type EngineActivity } from './engine-activity.ts';
export { type ModelMoment } from './history-recorder.ts';
export { type SlowRequest } from './slow-requests.ts';
export { createEngineTest } from './engine-test.ts';
export { createEntryTest } from './entry-test.ts';
export { createStatusAnswers } from './status-answers.ts';
export { makeStatusReport } from './status-report.ts';
export { readHistory } from './read-history.ts';
export { readMachineFacts } from './machine-facts.ts';
export { type OverviewParts, readOverview } from './overview.ts';
