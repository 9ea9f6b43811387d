import type { RefusalCode } from './refusal.ts';
import type { DoorName, UsageRecord } from './usage.ts';

/** What the rooms tell the metrics. Labels come from the settings and from closed unions, never from callers. */
export interface Metrics {
  /** Once per usage record. `overheadMs` is the gateway's own share of the time: no engine, no waiting. */
  requestFinished(record: UsageRecord, overheadMs: number): void;
  /** For requests that are turned away before they become anybody's: no key, no such path, too large. */
  requestRefused(door: DoorName | 'none', code: RefusalCode): void;
  /**
   * Read only when somebody scrapes; also for counts that a room keeps anyway. A later source of the same gauge
   * replaces the earlier one.
   */
  observe(gauge: GaugeName, read: () => Iterable<GaugeReading>): void;
}

export type GaugeName =
  | 'requestsInFlight'
  | 'requestsWaiting'
  | 'requestsWaitingByProject'
  | 'engineHealthy'
  | 'engineOutstanding'
  | 'engineEjections'
  | 'engineCacheUse'
  | 'engineTokens'
  | 'engineTokenDrift'
  | 'connectionsOpen'
  | 'connectionsRefused'
  | 'bufferedBytes'
  | 'keptStreams'
  | 'keptStreamBytes'
  | 'streamsResumed'
  | 'streamsAbandoned'
  | 'streamsWitnessed'
  | 'streamsSpared'
  | 'streamsInherited'
  | 'journalLagRecords'
  | 'journalUnappliedBytes'
  | 'journalWritable'
  | 'databaseReachable'
  | 'journalLostEntries'
  | 'toolCalls'
  | 'toolCallSeconds'
  | 'toolCallsRunning';

export interface GaugeReading {
  /** The model, project or engine, for gauges that have one; several labels in the order of the metric table. */
  readonly of?: string | readonly string[];
  readonly value: number;
}
