/**
 * How is the service doing, and how did it do lately? Watches what the journal is told, looks at the models every few
 * seconds, and keeps sums of it.
 */
import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import type { ServiceHistoryStore } from '#vocabulary/service-history';
import type { UsageJournal } from '#vocabulary/usage';
import { ActivityBoard, type EngineActivity } from './engine-activity.ts';
import { HistoryRecorder, type ModelMoment } from './history-recorder.ts';
import { SlowRequests, type SlowRequest } from './slow-requests.ts';

export interface ServiceWatch {
  /** The same journal, watched. */
  watch(journal: UsageJournal): UsageJournal;
  activityOf(engineName: string): EngineActivity;
  slowest(): readonly SlowRequest[];
  /** Engines of other names are forgotten. */
  keepOnly(engineNames: ReadonlySet<string>): void;
  start(): void;
  stop(): Promise<void>;
}

export function createServiceWatch(parts: {
  readonly store: ServiceHistoryStore;
  /** Every model as it is now. */
  readonly look: () => readonly ModelMoment[];
  readonly clock: Clock;
  readonly logger: Logger;
}): ServiceWatch {
  const board = new ActivityBoard(parts.clock);
  const slow = new SlowRequests(parts.clock);
  const history = new HistoryRecorder(parts);
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
        return journal.settle(record);
      },
      flush: () => journal.flush(),
    }),
    activityOf: (engineName) => board.read(engineName),
    slowest: () => slow.list(),
    keepOnly: (engineNames) => board.keepOnly(engineNames),
    start: () => history.start(),
    stop: () => history.stop(),
  };
}

export { type EngineActivity } from './engine-activity.ts';
export { type ModelMoment } from './history-recorder.ts';
export { type SlowRequest } from './slow-requests.ts';
export { createEngineTest } from './engine-test.ts';
export { createStatusAnswers } from './status-answers.ts';
export { makeStatusReport } from './status-report.ts';
export { readHistory } from './read-history.ts';
export { readMachineFacts } from './machine-facts.ts';
export { type OverviewParts, readOverview } from './overview.ts';
