import type { Clock } from '#vocabulary/clock';
import type { UsageApplier } from '#vocabulary/stores';
import {
  claimJournalDirectories,
  reclaimJournalDirectory,
  type ClaimedDirectories,
  type JournalDirectory,
} from './journal-directory.ts';
import type { JournalFiles } from './journal-files.ts';
import { createJournalLedger } from './journal-ledger.ts';
import { replayJournal, type ReplayReport } from './journal-replay.ts';
import { createJournalWriter } from './journal-writer.ts';

export interface JournalKeeperParts {
  /** The directory that holds the journals of all processes. */
  readonly root: string;
  /** The journal of this process, when an earlier thread of it wrote one. */
  readonly resumePath: string | undefined;
  readonly openApplier: () => UsageApplier;
  readonly files: JournalFiles;
  readonly clock: Clock;
}

/** The journal without its thread: what is done, not when. Every call may throw and may be made again. */
export interface JournalKeeper {
  readonly path: string;
  /** Dead processes' journals that wait to be replayed. */
  readonly orphanCount: number;
  readonly unappliedBytes: number;
  append(entries: string): void;
  /** True when there may be more to apply. */
  applyNext(): boolean;
  /** Undefined when no orphan is left. */
  replayNext(): ReplayReport | undefined;
  /** Deletes the journal unless something in it is not applied or not settled; that is for the next start. */
  close(): void;
}

export function createJournalKeeper(parts: JournalKeeperParts): JournalKeeper {
  const { files, clock } = parts;
  const { own, orphans: claimed } = claimDirectories(parts);
  const orphans: JournalDirectory[] = [...claimed];
  const applier = reopening(parts.openApplier);
  const ledger = createJournalLedger({ files, applier });
  const earlier = files.listSegments(own.path);
  for (const path of earlier) ledger.add({ path, syncedBytes: files.sizeOf(path), isSealed: true });
  const writer = createJournalWriter({
    directory: own.path,
    firstNumber: nextSegmentNumber(earlier),
    files,
    clock,
    segmentBegun: (segment) => ledger.add(segment),
  });

  return {
    path: own.path,
    get orphanCount() {
      return orphans.length;
    },
    get unappliedBytes() {
      return ledger.unappliedBytes;
    },
    append: (entries) => writer.append(entries),
    applyNext: () => ledger.applyNext(),
    replayNext() {
      const orphan = orphans[0];
      if (orphan === undefined) return undefined;
      const report = replayJournal(orphan, files, applier);
      orphans.shift();
      return report;
    },
    close() {
      writer.seal();
      while (ledger.applyNext());
      applier.close();
      for (const orphan of orphans) orphan.release();
      if (files.listSegments(own.path).length === 0) own.remove();
      else own.release();
    },
  };
}

function claimDirectories({ root, resumePath, files }: JournalKeeperParts): ClaimedDirectories {
  if (resumePath === undefined) return claimJournalDirectories(root, files);
  return { own: reclaimJournalDirectory(resumePath, files), orphans: [] };
}

/** Opened when first needed and again after a failure: the disk may have been full when we looked. */
function reopening(open: () => UsageApplier): UsageApplier {
  let current: UsageApplier | undefined;
  const close = () => {
    const closing = current;
    current = undefined;
    closing?.close();
  };
  return {
    apply(records) {
      current ??= open();
      try {
        current.apply(records);
      } catch (cause) {
        close();
        throw cause;
      }
    },
    close,
  };
}

function nextSegmentNumber(paths: readonly string[]): number {
  const last = /(\d{8})\.journal$/.exec(paths.at(-1) ?? '');
  return last === null ? 1 : Number(last[1]) + 1;
}
