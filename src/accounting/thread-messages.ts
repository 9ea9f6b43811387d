import type { UsageApplierSource } from '#vocabulary/stores';
import type { JournalPen } from './journal-pen.ts';

/** When an entry counts as written: when the system has it, or when it is on the disk. */
export type Durability = 'written' | 'synced';

export interface WritingThreadStart {
  readonly directory: string;
  readonly durability: Durability;
  readonly pen: JournalPen;
}

export type ToWritingThread =
  /** Answered by `written`. The next batch waits for that answer. */
  | { readonly kind: 'batch'; readonly entries: string }
  /** Something was written with the pen of this thread. */
  | { readonly kind: 'pen-used' }
  /** Answered by `closed`, when all of it is on the disk. */
  | { readonly kind: 'close' };

export type FromWritingThread =
  /** The journal can be written. */
  | { readonly kind: 'open' }
  | { readonly kind: 'written' }
  | { readonly kind: 'failing'; readonly reason: string }
  /** With the number of entries of which nobody knows whether they are on the disk. */
  | { readonly kind: 'closed'; readonly unconfirmedEntries: number };

export interface ApplyingThreadStart {
  readonly root: string;
  readonly ownPath: string;
  readonly applier: UsageApplierSource;
}

export type ToApplyingThread =
  /** Answered by `applied`. */
  | { readonly kind: 'apply' }
  /** Answered by `closed`. */
  | { readonly kind: 'close' };

export type FromApplyingThread =
  | { readonly kind: 'adopted'; readonly interruptedRequests: number; readonly damagedLines: number }
  | { readonly kind: 'standing'; readonly unappliedBytes: number }
  /** The database holds everything written so far; `answers` of those who asked for it know it now. */
  | { readonly kind: 'applied'; readonly answers: number }
  | { readonly kind: 'failing'; readonly task: ApplyingTask; readonly reason: string }
  | { readonly kind: 'recovered'; readonly task: ApplyingTask }
  | { readonly kind: 'closed' };

export type ApplyingTask = 'apply' | 'adopt';
