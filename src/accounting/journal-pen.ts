/**
 * One pen for two threads: whoever holds it writes to the active segment of the journal. It belongs to the journal's
 * thread, which lends it to the event loop while it has nothing to do with the segment itself: above all not during
 * a sync, when a write can take as long as the disk. What the borrower has written stays on the pad until the owner
 * has seen it, so that it can be written once more if the disk turns out not to have it.
 */
export interface JournalPen {
  /** The state, the number of the segment, the bytes on the pad. */
  readonly marks: Int32Array<SharedArrayBuffer>;
  readonly pad: Uint8Array<SharedArrayBuffer>;
}

/** What the borrower wrote, and whether a write of theirs failed: then the segment is not to be written to again. */
export interface Returned {
  readonly bytes: Buffer | undefined;
  readonly isSpoilt: boolean;
}

const padBytes = 1024 * 1024;

const stateAt = 0;
const segmentAt = 1;
const bytesAt = 2;

const kept = 0;
const lent = 1;
const inUse = 2;
const spoilt = 3;

export function createJournalPen(): JournalPen {
  return {
    marks: new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT)),
    pad: new Uint8Array(new SharedArrayBuffer(padBytes)),
  };
}

/** By the owner. */
export function lendPen({ marks }: JournalPen, segmentNumber: number): void {
  marks[segmentAt] = segmentNumber;
  Atomics.store(marks, stateAt, lent);
}

/** By the owner, who may have it already. Waits for a write that is under way. */
export function takePenBack({ marks, pad }: JournalPen): Returned {
  for (;;) {
    const state = Atomics.compareExchange(marks, stateAt, lent, kept);
    if (state === inUse) Atomics.wait(marks, stateAt, inUse);
    else {
      const bytes = marks[bytesAt] ?? 0;
      marks[bytesAt] = 0;
      Atomics.store(marks, stateAt, kept);
      return {
        bytes: bytes > 0 ? Buffer.from(pad.subarray(0, bytes)) : undefined,
        isSpoilt: state === spoilt,
      };
    }
  }
}

/** When the owner has died; the next one begins with a pen that is its own. */
export function resetPen({ marks }: JournalPen): void {
  marks[bytesAt] = 0;
  Atomics.store(marks, stateAt, kept);
}

/** By the borrower, who never waits: the number of the segment, or undefined when the pen is not to be had. */
export function borrowPen({ marks }: JournalPen): number | undefined {
  return Atomics.compareExchange(marks, stateAt, lent, inUse) === lent ? marks[segmentAt] : undefined;
}

/** By the borrower: where on the pad there is room. */
export function usedPadBytes({ marks }: JournalPen): number {
  return marks[bytesAt] ?? 0;
}

/** By the borrower, with all that is on the pad now. */
export function returnPen({ marks }: JournalPen, usedBytes: number, isSpoilt: boolean): void {
  marks[bytesAt] = usedBytes;
  Atomics.store(marks, stateAt, isSpoilt ? spoilt : lent);
  Atomics.notify(marks, stateAt);
}
