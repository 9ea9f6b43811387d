import type { Caller } from './caller.ts';
import type { CancellationReason } from './cancellation.ts';

export type DoorName = 'proxy' | 'direct' | 'chat';

/** How a request ended, from the point of view of whoever pays for it. */
export type Ending =
  | 'completed'
  | 'refused'
  | 'refused-by-engine'
  | 'caller-left'
  | 'access-withdrawn'
  | 'engine-failed'
  | 'shutdown'
  | 'interrupted';

export function endingOfCancellation(reason: CancellationReason): Ending {
  return reason === 'stopped' ? 'caller-left' : reason;
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** True when the engine never told (the caller left, the engine died) and we counted frames and bytes. */
  readonly isEstimated: boolean;
}

export const noUsage: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  isEstimated: false,
};

/** Written when a request is admitted, so that even a killed gateway knows of it. */
export interface UsageOpening {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly door: DoorName;
  readonly caller: Caller;
  readonly address: string;
  readonly endpoint: string;
  readonly model: string;
  /** For the estimate of a request that never reported its usage. */
  readonly requestBytes: number;
  readonly project: string;
}

/** One per request, whatever happened. `requestId` is ours and unique: applying it twice changes nothing. */
export interface UsageRecord extends UsageOpening {
  readonly engine: string | undefined;
  readonly ending: Ending;
  readonly status: number;
  readonly usage: TokenUsage;
  readonly waitMs: number;
  readonly firstByteMs: number | undefined;
  readonly durationMs: number;
  /** In units of the settings' cost of tokens. */
  readonly cost: number;
  /** How many engines went on with the answer after one had died. */
  readonly continuations?: number;
  /** What its receipt knows beyond this record, as JSON text. */
  readonly receipt?: string | undefined;
}

/** What accounting offers the flow. No call throws or rejects, and none holds up the event loop. */
export interface UsageJournal {
  /** Why no new request can be taken on: its usage could not be written. Undefined when it can. */
  obstacle(): string | undefined;
  /**
   * Resolves with true when it has left the process: only now may an engine hear of the request, so that whatever an
   * engine has begun is known after a kill. With false when it could not for too long.
   */
  open(opening: UsageOpening): Promise<boolean>;
  /** What a running request has used so far: its record, if the process were killed now. */
  checkpoint(record: UsageRecord): void;
  /**
   * Resolves with true when the record has left the process: only now may the end of the answer leave. With false
   * when it could not for too long; the record is still kept.
   */
  settle(record: UsageRecord): Promise<boolean>;
  /** Resolves when everything handed over so far is on disk and applied. */
  flush(): Promise<void>;
}
