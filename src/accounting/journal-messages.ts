import type { UsageApplierSource } from '#vocabulary/stores';

/** What the journal's thread is started with. */
export interface JournalThreadStart {
  readonly root: string;
  readonly resumePath: string | undefined;
  readonly applier: UsageApplierSource;
}

export type ToJournalThread =
  /** Answered by `written` when the entries are on the disk. The next batch waits for that answer. */
  | { readonly kind: 'batch'; readonly entries: string }
  /** Answered by `applied`. */
  | { readonly kind: 'apply' }
  | { readonly kind: 'close' };

export type FromJournalThread =
  | { readonly kind: 'ready'; readonly path: string }
  | { readonly kind: 'replayed'; readonly interruptedRequests: number; readonly damagedLines: number }
  | { readonly kind: 'written'; readonly unappliedBytes: number }
  /** The database holds everything written so far; `answers` of those who asked for it know it now. */
  | { readonly kind: 'applied'; readonly answers: number }
  | { readonly kind: 'failing'; readonly task: JournalTask; readonly reason: string }
  | { readonly kind: 'recovered'; readonly task: JournalTask }
  | { readonly kind: 'closed' };

export type JournalTask = 'claim' | 'write' | 'apply' | 'replay';
