import { join } from 'node:path';
import type { Clock } from '#vocabulary/clock';
import { nextSegmentNumber, segmentName, type JournalFiles } from './journal-files.ts';
import { sealEntries } from './journal-line.ts';

const maxSegmentBytes = 16 * 1024 * 1024;
const maxSegmentAgeMs = 10 * 60_000;

export interface JournalWriter {
  /**
   * Returns when the system has the entries, so that they survive the death of the process; throws when it does not
   * take them. Appending them again is harmless.
   */
  append(entries: string): void;
  /**
   * Calls back when all that was appended before is on the disk and where it belongs. After a failure it is not:
   * the next append, also an empty one, writes it once more, elsewhere.
   */
  confirm(done: (failure: Error | undefined) => void): void;
  /** The segment that is written to at the moment. */
  readonly activeNumber: number | undefined;
  /** Somebody else has appended these lines to the active segment. */
  adopt(bytes: Buffer): void;
  /** Somebody else has failed to write to the active segment. */
  spoil(): void;
  /** Appended, and not confirmed yet. */
  readonly unconfirmedEntries: number;
  close(): void;
}

export interface JournalWriterParts {
  readonly directory: string;
  readonly files: JournalFiles;
  readonly clock: Clock;
}

interface Segment {
  readonly number: number;
  readonly path: string;
  readonly file: number;
  readonly identity: string;
  readonly begunMs: number;
  bytes: number;
  isNameSynced: boolean;
}

/**
 * Appends to the newest segment. A segment on which a write or a sync failed is never touched again, because
 * nobody can say what of it is on the disk: the entries go into a new one.
 */
export function createJournalWriter({ directory, files, clock }: JournalWriterParts): JournalWriter {
  const home = files.identityOf(directory);
  /** Never used twice: a reader may know a file of that name that was taken back. */
  let nextNumber = nextSegmentNumber(files.listSegments(directory));
  let active: Segment | undefined;
  /** Grows only as long as one sync takes. */
  let unconfirmed: { readonly segment: Segment; readonly bytes: Buffer }[] = [];
  /** No longer written to; closed when no sync is under way that might still need them. */
  let retired = new Set<Segment>();
  let isConfirming = false;
  let mustRewrite = false;

  function begin(): Segment {
    const misplaced = misplacement();
    if (misplaced !== undefined) throw misplaced;
    const number = nextNumber;
    const path = join(directory, segmentName(number));
    nextNumber += 1;
    const file = files.create(path);
    return {
      number,
      path,
      file,
      identity: files.identityOfOpen(file),
      begunMs: clock.monotonicMs(),
      bytes: 0,
      isNameSynced: false,
    };
  }

  /** Older segments may be gone, because all that was in them is on the books. */
  function misplacement(): Error | undefined {
    const isHome = home !== undefined && files.identityOf(directory) === home;
    if (isHome && (active === undefined || files.identityOf(active.path) === active.identity))
      return undefined;
    const what = isHome && active !== undefined ? active.path : directory;
    return new Error(`${what} was removed or replaced while the service was running`);
  }

  function retireActive(): void {
    if (active !== undefined) retired.add(active);
    active = undefined;
  }

  function closeRetired(): void {
    if (isConfirming) return;
    const needed = new Set(mustRewrite ? [] : unconfirmed.map(({ segment }) => segment));
    for (const segment of retired) if (!needed.has(segment)) files.close(segment.file);
    retired = retired.intersection(needed);
  }

  function write(bytes: Buffer): void {
    const isFresh = active === undefined;
    const segment = active ?? begin();
    active = segment;
    try {
      files.append(segment.file, bytes);
    } catch (cause) {
      spoil();
      if (isFresh) files.remove(segment.path);
      throw cause;
    }
    note(segment, bytes);
  }

  function spoil(): void {
    retireActive();
    mustRewrite = unconfirmed.length > 0;
  }

  function note(segment: Segment, bytes: Buffer): void {
    segment.bytes += bytes.length;
    unconfirmed.push({ segment, bytes });
    const ageMs = clock.monotonicMs() - segment.begunMs;
    if (segment.bytes >= maxSegmentBytes || ageMs >= maxSegmentAgeMs) retireActive();
  }

  function rewrite(): void {
    const earlier = unconfirmed;
    unconfirmed = [];
    try {
      write(Buffer.concat(earlier.map(({ bytes }) => bytes)));
      mustRewrite = false;
    } catch (cause) {
      unconfirmed = earlier;
      mustRewrite = true;
      throw cause;
    }
  }

  function syncAll([segment, ...rest]: readonly Segment[], done: (failure: Error | undefined) => void): void {
    if (segment === undefined) {
      done(misplacement());
      return;
    }
    files.sync(segment.file, segment.isNameSynced ? undefined : segment.path, (failure) => {
      if (failure !== null) {
        done(failure);
        return;
      }
      segment.isNameSynced = true;
      syncAll(rest, done);
    });
  }

  return {
    append(entries) {
      try {
        if (mustRewrite) rewrite();
        if (entries !== '') write(Buffer.from(sealEntries(entries), 'utf8'));
      } finally {
        closeRetired();
      }
    },
    confirm(done) {
      const confirming = unconfirmed.length;
      isConfirming = true;
      syncAll([...new Set(unconfirmed.map(({ segment }) => segment))], (failure) => {
        isConfirming = false;
        if (failure === undefined) unconfirmed = unconfirmed.slice(confirming);
        else spoil();
        closeRetired();
        done(failure);
      });
    },
    get activeNumber() {
      return active?.number;
    },
    adopt(bytes) {
      if (active !== undefined) note(active, bytes);
    },
    spoil,
    get unconfirmedEntries() {
      return unconfirmed.reduce((sum, { bytes }) => sum + countLines(bytes), 0);
    },
    close() {
      retireActive();
      mustRewrite = true;
      closeRetired();
    },
  };
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1)) lines += 1;
  return lines;
}
