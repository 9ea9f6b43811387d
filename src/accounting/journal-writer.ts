import { join } from 'node:path';
import type { Clock } from '#vocabulary/clock';
import { segmentName, type JournalFiles } from './journal-files.ts';
import type { Segment } from './journal-ledger.ts';
import { sealEntries } from './journal-line.ts';

const maxSegmentBytes = 16 * 1024 * 1024;
const maxSegmentAgeMs = 10 * 60_000;

export interface JournalWriter {
  /** Returns when the entries are on the disk; throws when they are not. Appending them again is harmless. */
  append(entries: string): void;
  /** Begins a new segment with the next entries. */
  seal(): void;
}

export interface JournalWriterParts {
  readonly directory: string;
  readonly firstNumber: number;
  readonly files: JournalFiles;
  readonly clock: Clock;
  readonly segmentBegun: (segment: Segment) => void;
}

interface ActiveSegment extends Segment {
  readonly file: number;
  readonly begunMs: number;
}

/**
 * Appends to the newest segment. A segment on which a write or a sync failed is never touched again, because
 * nobody can say what of it is on the disk: the entries go into a new one.
 */
export function createJournalWriter({
  directory,
  firstNumber,
  files,
  clock,
  segmentBegun,
}: JournalWriterParts): JournalWriter {
  let active: ActiveSegment | undefined;
  let nextNumber = firstNumber;

  function begin(): ActiveSegment {
    const path = join(directory, segmentName(nextNumber));
    nextNumber += 1;
    return {
      path,
      file: files.create(path),
      begunMs: clock.monotonicMs(),
      syncedBytes: 0,
      isSealed: false,
    };
  }

  function seal(): void {
    if (active === undefined) return;
    const { file } = active;
    active.isSealed = true;
    active = undefined;
    files.close(file);
  }

  function abandonFresh({ file, path }: ActiveSegment): void {
    files.close(file);
    files.remove(path);
  }

  return {
    append(entries) {
      const lines = Buffer.from(sealEntries(entries), 'utf8');
      const segment = active ?? begin();
      try {
        files.append(segment.file, lines);
        files.sync(segment.file);
      } catch (cause) {
        if (segment === active) seal();
        else abandonFresh(segment);
        throw cause;
      }
      segment.syncedBytes += lines.length;
      if (active === undefined) {
        active = segment;
        segmentBegun(segment);
      }
      const ageMs = clock.monotonicMs() - segment.begunMs;
      if (segment.syncedBytes >= maxSegmentBytes || ageMs >= maxSegmentAgeMs) seal();
    },
    seal,
  };
}
