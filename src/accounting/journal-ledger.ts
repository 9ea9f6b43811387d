import type { UsageApplier } from '#vocabulary/stores';
import type { UsageOpening, UsageRecord } from '#vocabulary/usage';
import type { JournalFiles } from './journal-files.ts';
import { readLine } from './journal-line.ts';
import { readOpening, readRecord } from './usage-fields.ts';

/** One file of the journal as far as it is known to be on the disk. */
export interface Segment {
  readonly path: string;
  /** Whole lines on the disk; nothing behind this is read. */
  syncedBytes: number;
  /** Nothing is appended any more. */
  isSealed: boolean;
}

interface TrackedSegment {
  readonly segment: Segment;
  appliedBytes: number;
  unsettled: number;
}

export interface JournalLedger {
  /** Segments are applied in the order in which they were added. */
  add(segment: Segment): void;
  /** Applies the next piece. True when there may be more. Throws when the files or the database fail. */
  applyNext(): boolean;
  /** Requests that were opened and not settled by what was applied so far. */
  readUnsettled(): readonly UsageOpening[];
  readonly unappliedBytes: number;
  /** Lines that were not what had been written. */
  readonly damagedLines: number;
}

export interface JournalLedgerParts {
  readonly files: JournalFiles;
  readonly applier: UsageApplier;
}

const pieceBytes = 256 * 1024;

/** Requests open at the same time; beyond this the oldest is no longer watched over, only its settlement counts. */
const maxUnsettled = 100_000;

/**
 * Follows the journal from its files into the database. Memory stays small however far the database is behind,
 * because what is not applied yet waits on the disk. A segment is deleted when all of it is applied and
 * everything opened in it is settled.
 */
export function createJournalLedger({ files, applier }: JournalLedgerParts): JournalLedger {
  let tracked: TrackedSegment[] = [];
  const unsettled = new Map<string, { readonly json: string; readonly segment: TrackedSegment }>();
  let damagedLines = 0;

  function applyNext(): boolean {
    const next = tracked.find(({ segment, appliedBytes }) => appliedBytes < segment.syncedBytes);
    if (next === undefined) {
      deleteFinished();
      return false;
    }
    const piece = readPiece(files, next);
    const records: UsageRecord[] = [];
    const openings: { requestId: string; json: string }[] = [];
    let damaged = 0;
    for (const line of splitLines(piece.text)) {
      const entry = readLine(line);
      if (entry === undefined) damaged += 1;
      else if (entry.kind === 'opening') openings.push(entry);
      else records.push(readRecord(entry.requestId, entry.json));
    }
    if (records.length > 0) applier.apply(records);
    damagedLines += damaged;
    for (const { requestId, json } of openings) watch(requestId, json, next);
    for (const { requestId } of records) release(requestId);
    next.appliedBytes += piece.bytes;
    deleteFinished();
    return true;
  }

  function watch(requestId: string, json: string, segment: TrackedSegment): void {
    if (unsettled.has(requestId)) return;
    if (unsettled.size >= maxUnsettled) {
      for (const oldest of unsettled.keys()) {
        release(oldest);
        break;
      }
    }
    segment.unsettled += 1;
    unsettled.set(requestId, { json, segment });
  }

  function release(requestId: string): void {
    const opening = unsettled.get(requestId);
    if (opening === undefined) return;
    unsettled.delete(requestId);
    opening.segment.unsettled -= 1;
  }

  function deleteFinished(): void {
    const finished = tracked.filter(
      ({ segment, appliedBytes, unsettled: open }) =>
        segment.isSealed && appliedBytes >= segment.syncedBytes && open === 0,
    );
    if (finished.length === 0) return;
    for (const { segment } of finished) files.remove(segment.path);
    tracked = tracked.filter((one) => !finished.includes(one));
  }

  return {
    add: (segment) => void tracked.push({ segment, appliedBytes: 0, unsettled: 0 }),
    applyNext,
    readUnsettled: () => [...unsettled].map(([requestId, { json }]) => readOpening(requestId, json)),
    get unappliedBytes() {
      return tracked.reduce((sum, { segment, appliedBytes }) => sum + segment.syncedBytes - appliedBytes, 0);
    },
    get damagedLines() {
      return damagedLines;
    },
  };
}

/** The last line may lack its end: the writer died on it. Its checksum tells whether it is whole. */
function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Whole lines, as many as fit; all of the rest when not even one does. */
function readPiece(
  files: JournalFiles,
  { segment, appliedBytes }: TrackedSegment,
): { text: string; bytes: number } {
  const restBytes = segment.syncedBytes - appliedBytes;
  const file = files.openForReading(segment.path);
  try {
    for (let wanted = Math.min(pieceBytes, restBytes); ; wanted = restBytes) {
      const buffer = Buffer.allocUnsafe(wanted);
      const length = files.read(file, buffer, appliedBytes);
      const lineEnd = buffer.subarray(0, length).lastIndexOf(10);
      const isRest = wanted === restBytes;
      if (lineEnd < 0 && !isRest) continue;
      // The torn tail of a segment is handed out by itself, after all whole lines.
      if (lineEnd < 0) return { text: buffer.toString('utf8', 0, length), bytes: restBytes };
      return { text: buffer.toString('utf8', 0, lineEnd + 1), bytes: lineEnd + 1 };
    }
  } finally {
    files.close(file);
  }
}
