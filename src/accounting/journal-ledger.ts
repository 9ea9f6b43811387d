import type { UsageApplier } from '#vocabulary/stores';
import type { UsageRecord } from '#vocabulary/usage';
import type { JournalFiles } from './journal-files.ts';
import { type JournalEntry, readLine } from './journal-line.ts';
import { readRecord } from './usage-fields.ts';

export interface JournalLedger {
  /**
   * Applies the next piece of what is there now. True when there is more of that: what is appended meanwhile waits, so
   * that many records go into the database together. Rejects when the files or the database fail.
   */
  applyNext(): Promise<boolean>;
  /** Nobody appends any more: the newest segment is read to its last byte, too. */
  finish(): void;
  /** The last word on each request that was begun and not settled by what was applied so far. */
  readUnsettled(): readonly JournalEntry[];
  readonly unappliedBytes: number;
  /** Lines that were not what had been written. */
  readonly damagedLines: number;
}

export interface JournalLedgerParts {
  readonly directory: string;
  readonly files: JournalFiles;
  readonly applier: UsageApplier;
}

interface TrackedSegment {
  readonly path: string;
  bytes: number;
  appliedBytes: number;
  unsettled: number;
}

const pieceBytes = 1024 * 1024;

/** Requests open at the same time; beyond this the oldest is no longer watched over, only its settlement counts. */
const maxUnsettled = 100_000;

/**
 * Follows a journal from its files into the database, wherever its writer is by now. Memory stays small however far
 * the database is behind, because what is not applied yet waits on the disk. A segment is deleted when there is a
 * newer one, all of it is applied, and nothing in it is the last word on a request that still runs.
 */
export function createJournalLedger({ directory, files, applier }: JournalLedgerParts): JournalLedger {
  const tracked = new Map<string, TrackedSegment>();
  const unsettled = new Map<string, { readonly entry: JournalEntry; readonly segment: TrackedSegment }>();
  let newestPath = '';
  let isFinished = false;
  let damagedLines = 0;

  function look(): void {
    const paths = files.listSegments(directory);
    for (const path of paths) {
      const known = tracked.get(path);
      const bytes = files.sizeOf(path);
      if (known === undefined) tracked.set(path, { path, bytes, appliedBytes: 0, unsettled: 0 });
      else known.bytes = bytes;
    }
    // Its writer took a file back that it could not fill; what was in it comes again in another.
    for (const path of tracked.keys()) if (!paths.includes(path)) tracked.delete(path);
    newestPath = paths.at(-1) ?? '';
  }

  const isSealed = ({ path }: TrackedSegment) => isFinished || path !== newestPath;

  async function applyNext(): Promise<boolean> {
    look();
    for (const segment of tracked.values()) {
      if (segment.appliedBytes >= segment.bytes) continue;
      const piece = readPiece(files, segment, isSealed(segment));
      if (piece === undefined) continue;
      await apply(piece.text, segment);
      segment.appliedBytes += piece.bytes;
      deleteFinished();
      return tracked.values().some(({ appliedBytes, bytes }) => appliedBytes < bytes);
    }
    deleteFinished();
    return false;
  }

  async function apply(text: string, segment: TrackedSegment): Promise<void> {
    const records: UsageRecord[] = [];
    const begun: JournalEntry[] = [];
    let damaged = 0;
    for (const line of splitLines(text)) {
      const entry = readLine(line);
      if (entry === undefined) damaged += 1;
      else if (entry.kind === 'settlement') records.push(readRecord(entry.requestId, entry.json));
      else begun.push(entry);
    }
    if (records.length > 0) await applier.apply(records);
    damagedLines += damaged;
    for (const entry of begun) watch(entry, segment);
    for (const { requestId } of records) release(requestId);
  }

  function watch(entry: JournalEntry, segment: TrackedSegment): void {
    const { kind, requestId } = entry;
    // An opening that was written once more says less than what followed it.
    if (kind === 'opening' && unsettled.has(requestId)) return;
    release(requestId);
    if (unsettled.size >= maxUnsettled) {
      for (const oldest of unsettled.keys()) {
        release(oldest);
        break;
      }
    }
    segment.unsettled += 1;
    unsettled.set(requestId, { entry, segment });
  }

  function release(requestId: string): void {
    const watched = unsettled.get(requestId);
    if (watched === undefined) return;
    unsettled.delete(requestId);
    watched.segment.unsettled -= 1;
  }

  function deleteFinished(): void {
    for (const segment of tracked.values()) {
      const { path, appliedBytes, bytes } = segment;
      if (!isSealed(segment) || appliedBytes < bytes || segment.unsettled > 0) continue;
      files.remove(path);
      tracked.delete(path);
    }
  }

  return {
    applyNext,
    finish() {
      isFinished = true;
    },
    readUnsettled: () => [...unsettled.values()].map(({ entry }) => entry),
    get unappliedBytes() {
      return tracked.values().reduce((sum, { bytes, appliedBytes }) => sum + bytes - appliedBytes, 0);
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

/** Whole lines, as many as fit. What has no end yet is handed out by itself, last, and only when none will come. */
function readPiece(
  files: JournalFiles,
  { path, bytes, appliedBytes }: TrackedSegment,
  isComplete: boolean,
): { text: string; bytes: number } | undefined {
  const restBytes = bytes - appliedBytes;
  const file = files.openForReading(path);
  try {
    for (let wanted = Math.min(pieceBytes, restBytes); ; wanted = restBytes) {
      const buffer = Buffer.allocUnsafe(wanted);
      const length = files.read(file, buffer, appliedBytes);
      const lineEnd = buffer.subarray(0, length).lastIndexOf(10);
      if (lineEnd >= 0) return { text: buffer.toString('utf8', 0, lineEnd + 1), bytes: lineEnd + 1 };
      if (wanted < restBytes) continue;
      return isComplete ? { text: buffer.toString('utf8', 0, length), bytes: restBytes } : undefined;
    }
  } finally {
    files.close(file);
  }
}
