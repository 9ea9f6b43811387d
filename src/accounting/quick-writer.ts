import { join } from 'node:path';
import type { Clock } from '#vocabulary/clock';
import { type JournalFiles, segmentName } from './journal-files.ts';
import { sealEntries } from './journal-line.ts';
import { borrowPen, type JournalPen, returnPen, usedPadBytes } from './journal-pen.ts';

/**
 * Writes to the journal from the event loop: a call into the memory of the system, a tenth of what the way to another
 * thread and back costs. Only while the journal's thread lends its pen, and while such calls are as short as they
 * should be.
 */
export interface QuickWriter {
  /** True when the system has the entries. False: they are for the thread, and nothing was waited for. */
  write(entries: string): boolean;
  close(): void;
}

export interface QuickWriterParts {
  readonly directory: string;
  readonly pen: JournalPen;
  readonly files: Pick<JournalFiles, 'openForAppending' | 'append' | 'close'>;
  readonly clock: Clock;
  /** Something is on the pad that was empty. */
  readonly begun: () => void;
}

/** The part of its time that the event loop may spend here, and what it may be behind before the thread takes over. */
const mostPart = 0.05;
const mostDebtMs = 25;
/** At first the thread takes over for a moment, because a busy machine looks like a slow disk; then for longer. */
const shortestRestMs = 500;
const longestRestMs = 10_000;
/** One call that takes so long is the disk's doing. */
const slowCallMs = 100;
const mostBytesPerCharacter = 3;

export function createQuickWriter({ directory, pen, files, clock, begun }: QuickWriterParts): QuickWriter {
  const pad = Buffer.from(pen.pad.buffer);
  let segmentNumber: number | undefined;
  let file: number | undefined;
  let debtMs = 0;
  let lastMs = -Infinity;
  let restMs = shortestRestMs;
  let restUntilMs = -Infinity;

  function turnTo(number: number): number {
    if (file !== undefined && number === segmentNumber) return file;
    closeFile();
    file = files.openForAppending(join(directory, segmentName(number)));
    segmentNumber = number;
    return file;
  }

  function closeFile(): void {
    if (file !== undefined) files.close(file);
    file = undefined;
  }

  /** A disk that makes the system wait is left to the thread for a while. */
  function noteTime(startedMs: number): void {
    const nowMs = clock.monotonicMs();
    debtMs = Math.max(0, debtMs - (nowMs - lastMs) * mostPart) + nowMs - startedMs;
    lastMs = nowMs;
    if (debtMs <= mostDebtMs) return;
    debtMs = 0;
    if (nowMs - startedMs >= slowCallMs) restMs = longestRestMs;
    else if (nowMs - restUntilMs > longestRestMs) restMs = shortestRestMs;
    else restMs = Math.min(restMs * 2, longestRestMs);
    restUntilMs = nowMs + restMs;
  }

  return {
    write(entries) {
      const startedMs = clock.monotonicMs();
      if (startedMs < restUntilMs) return false;
      const number = borrowPen(pen);
      if (number === undefined) return false;
      const before = usedPadBytes(pen);
      let after = before;
      let isWritten = false;
      let isSpoilt = false;
      try {
        const lines = sealEntries(entries);
        if (lines.length * mostBytesPerCharacter <= pad.length - before) {
          const end = before + pad.write(lines, before);
          files.append(turnTo(number), pad.subarray(before, end));
          after = end;
          isWritten = true;
        }
      } catch {
        // The thread finds out what is wrong with the disk, and says so.
        isSpoilt = true;
      }
      returnPen(pen, after, isSpoilt);
      noteTime(startedMs);
      if (isWritten && before === 0) begun();
      return isWritten;
    },
    close: closeFile,
  };
}
